import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { encodeEvent } from '#events/envelope.js';
import { streamName } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { sampleStream } from '#ledger/sample-events.js';
import { lastSeal } from '#ledger/seal-ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { periodicSeals, type SealPace } from './periodic-seals.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-seals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
let path: string;
let ledger: Ledger;
beforeEach(async () => {
  path = join(folder, `${++made}.db`);
  ledger = await openSqliteLedger(path);
});
afterEach(async () => {
  vi.useRealTimers();
  await ledger.close();
});

function process(pace: SealPace, over: Ledger = ledger) {
  const warned: object[] = [];
  const tools = {
    now: Date.now,
    uuid: () => `01890000-0000-7000-8000-${String(++made).padStart(12, '0')}`,
    principal: 'system',
  };
  const seals = periodicSeals({ ledger: over, tools, pace, log: { warn: (fields) => warned.push(fields) } });
  return { ...seals, warned };
}

async function write(over: Ledger, events: number): Promise<void> {
  for (let written = 0; written < events; written++) {
    const stream = sampleStream(over.id);
    await over.append(stream.name, [stream.next()], 'no_stream');
  }
}

const sealedSize = async () => (await lastSeal(ledger))?.seal.size;

describe('a process that writes', () => {
  it('seals after so many events, without an append that waits for it', async () => {
    const own = process({ events: 20, minutes: 0 });
    await write(own.ledger, 19);
    expect(await sealedSize()).toBeUndefined();
    await write(own.ledger, 1);
    await expect.poll(sealedSize).toBe(20);
    await own.close();
  });

  it('seals what it wrote when it exits', async () => {
    const own = process({ events: 1000, minutes: 10 });
    await write(own.ledger, 2);
    await own.close();
    expect(await sealedSize()).toBe(2);
  });

  it('leaves no seal behind when it was only asked', async () => {
    const own = process({ events: 1000, minutes: 10 });
    const stream = streamName({ ledger: ledger.id, bank: 'b1', category: 'recall', id: 'p' });
    const sample = sampleStream(ledger.id).next();
    const recall = encodeEvent({
      ...JSON.parse(Buffer.from(sample.bytes).toString('utf8')),
      stream,
      type: 'RecallServed',
    });
    await own.ledger.append(stream, [recall], 'no_stream');
    await own.close();
    expect(await sealedSize()).toBeUndefined();
  });

  it('seals after so many minutes what came since, once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const own = process({ events: 1000, minutes: 10 });
    await write(own.ledger, 1);
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    await write(own.ledger, 1);
    expect(await sealedSize()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await sealedSize()).toBe(2));
    vi.useRealTimers();
    await own.close();
    expect(await sealedSize()).toBe(2);
  });

  it('does not seal by count what another process has just sealed, but does not forget it either', async () => {
    const one = process({ events: 20, minutes: 0 });
    const two = process({ events: 20, minutes: 0 });
    await write(one.ledger, 15);
    await write(two.ledger, 20);
    await expect.poll(sealedSize).toBe(35);
    await write(one.ledger, 5);
    await one.close();
    expect(await sealedSize()).toBe(41);
    await two.close();
  });

  it('does not begin to read a large ledger that was never sealed when it exits', async () => {
    const large: Ledger = {
      ...ledger,
      async *readAll() {
        const { next } = sampleStream(ledger.id);
        for (let rank = 0; rank < 20_000; rank++) yield { ...next(), position: String(rank) };
      },
    };
    const own = process({ events: 1000, minutes: 10 }, large);
    await write(own.ledger, 1);
    await own.close();
    expect(await sealedSize()).toBeUndefined();
    expect(own.warned).toEqual([]);
  });

  it('tells what keeps it from sealing, loses no write by it, and covers the same with the next seal', async () => {
    let failing = true;
    const moody: Ledger = {
      ...ledger,
      append: (stream, events, expected) =>
        failing && stream.includes('.seal-')
          ? Promise.reject(new HindsightError('disk_full', 'The disk is full.'))
          : ledger.append(stream, events, expected),
    };
    const own = process({ events: 5, minutes: 0 }, moody);
    await write(own.ledger, 5);
    await expect.poll(() => own.warned).toEqual([{ code: 'disk_full' }]);
    failing = false;
    await own.close();
    expect(await sealedSize()).toBe(5);
  });

  it('exits also where the ledger does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const own = process(
      { events: 1000, minutes: 10 },
      {
        ...ledger,
        readStream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
      },
    );
    await write(own.ledger, 1);
    const closed = own.close();
    await vi.advanceTimersByTimeAsync(2_000);
    await closed;
    expect(await sealedSize()).toBeUndefined();
  });

  it('seals never by itself when it is told so', async () => {
    const own = process({ events: 0, minutes: 10 });
    await write(own.ledger, 3);
    await own.close();
    expect(await sealedSize()).toBeUndefined();
  });
});
