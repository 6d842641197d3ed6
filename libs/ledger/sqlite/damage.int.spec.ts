import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readDamage } from '../damage.js';
import type { Ledger, StoredEvent } from '../ledger.js';
import { sampleStream } from '../sample-events.js';
import { verifyLedger } from '../verify-ledger.js';
import { gapsIn } from './gaps.js';
import { openSqliteLedger } from './sqlite-ledger.js';
import { breakPageOf, writtenLedger } from './testing/broken-files.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-damage-'));
const isRoot = process.getuid?.() === 0;
const undo: (() => void)[] = [];
let made = 0;

afterEach(() => {
  for (const each of undo.splice(0).reverse()) each();
});
undo.push(() => mkdirSync(folder, { recursive: true }));

function freshPath(): string {
  const place = join(folder, String(++made));
  mkdirSync(place);
  undo.push(() => rmSync(place, { recursive: true, force: true }));
  return join(place, 'ledger.db');
}

async function opened(path: string, options?: Parameters<typeof openSqliteLedger>[1]): Promise<Ledger> {
  const ledger = await openSqliteLedger(path, options);
  undo.push(() => void ledger.close());
  return ledger;
}

async function all(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

async function appendOne(ledger: Ledger, padding = 0): Promise<void> {
  const stream = sampleStream(ledger.id);
  await ledger.append(stream.name, [stream.next({ padding })], 'no_stream');
}

describe('a damaged page', () => {
  it('is named by position; what lies around it is read, and nobody writes any more', async () => {
    const path = freshPath();
    const { ids } = await writtenLedger(path, 50);
    breakPageOf(path, ids[40]!);
    const ledger = await opened(path);

    const forward = (await all(ledger.readAll())).map((each) => each.id);
    const backward = (await all(ledger.readAll({ direction: 'backward' }))).map((each) => each.id);
    expect(backward).toEqual(forward.toReversed());
    expect(forward).not.toContain(ids[40]);
    expect(forward.length).toBeGreaterThan(90);
    expect(forward).toEqual(ids.filter((id) => forward.includes(id)));

    const damage = readDamage(path)!;
    expect(Number(damage.position)).toBeLessThanOrEqual(41);
    expect(Number(damage.through)).toBeGreaterThanOrEqual(41);
    for (const each of [ledger, await opened(path)]) {
      await expect(appendOne(each)).rejects.toMatchObject({
        code: 'ledger_read_only',
        details: { position: damage.position },
      });
    }
  });

  it('of one stream leaves the others to be read, and what can be read of it', async () => {
    const path = freshPath();
    const { ids, names } = await writtenLedger(path, 50);
    breakPageOf(path, ids[40]!);
    const ledger = await opened(path);
    const counts = await Promise.all(names.map(async (name) => (await all(ledger.readStream(name))).length));
    expect(counts.filter((each) => each === 2).length).toBeGreaterThan(45);
    expect(counts[20]).toBeLessThan(2);
    expect(readDamage(path)).toBeDefined();
  });

  it('is told by verify, at the end of the file too', async () => {
    const path = freshPath();
    const { ids } = await writtenLedger(path, 50);
    breakPageOf(path, ids[40]!);
    breakPageOf(path, ids.at(-1)!);
    const { missing, events } = await verifyLedger(await opened(path), { gapBetween: gapsIn(path) });
    expect(missing).toHaveLength(2);
    expect(Number(missing[0]!.first)).toBeLessThanOrEqual(41);
    expect(Number(missing[1]!.last)).toBe(100);
    const lost = missing.reduce((sum, each) => sum + Number(each.last) - Number(each.first) + 1, 0);
    expect(events + lost).toBe(100);
  });

  it('is noticed by another process’s note before the next append', async () => {
    const path = freshPath();
    const ledger = await opened(path);
    await appendOne(ledger);
    writeFileSync(`${path}.damaged`, JSON.stringify({ at: '2026-01-01T00:00:00.000Z', what: 'A page is bad.' }));
    await expect(appendOne(ledger)).rejects.toMatchObject({ code: 'ledger_read_only' });
    expect(await all(ledger.readAll())).toHaveLength(1);
  });

  it('that leaves no database at all is an error at opening', async () => {
    const path = freshPath();
    writeFileSync(path, 'this is no database, and long enough to be seen as one '.repeat(100));
    await expect(openSqliteLedger(path)).rejects.toMatchObject({ code: 'ledger_corrupt' });
  });
});

describe('reading only', () => {
  it('changes nothing, and refuses appends', async () => {
    const path = freshPath();
    await writtenLedger(path, 2);
    const ledger = await opened(path, { readOnly: true });
    expect(await all(ledger.readAll())).toHaveLength(4);
    await expect(appendOne(ledger)).rejects.toMatchObject({ code: 'ledger_read_only' });
  });

  it('makes no file where none is', async () => {
    const path = freshPath();
    await expect(openSqliteLedger(path, { readOnly: true })).rejects.toMatchObject({ code: 'not_writable' });
    expect(existsSync(path)).toBe(false);
  });
});

/** Root passes over permission bits, so a mount is the only honest full or read-only disk. */
describe.runIf(isRoot)('a mounted disk', () => {
  function mount(...args: string[]): void {
    execFileSync('mount', args);
    undo.push(() => execFileSync('umount', ['-l', args.at(-1)!]));
  }

  it('that is read-only is read; appends say that it cannot be written', async () => {
    const path = freshPath();
    await writtenLedger(path, 2);
    const place = join(path, '..');
    mount('--bind', place, place);
    execFileSync('mount', ['-o', 'remount,ro,bind', place]);
    const ledger = await opened(path);
    expect(await all(ledger.readAll())).toHaveLength(4);
    await expect(appendOne(ledger)).rejects.toMatchObject({ code: 'not_writable' });
    await expect(openSqliteLedger(join(place, 'new.db'))).rejects.toMatchObject({ code: 'not_writable' });
  });

  it('that is full is a clear error; what was acknowledged stays, and there is more when there is room', async () => {
    const path = freshPath();
    const place = join(path, '..');
    mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', place);
    const ledger = await opened(path);
    let acknowledged = 0;
    let refusal: unknown;
    while (!refusal && acknowledged < 1000) {
      await appendOne(ledger, 30_000).then(
        () => {
          acknowledged += 1;
        },
        (error: unknown) => {
          refusal = error;
        },
      );
    }
    expect(refusal).toMatchObject({ code: 'disk_full' });
    expect(acknowledged).toBeGreaterThan(10);
    expect(await all(ledger.readAll())).toHaveLength(acknowledged);

    execFileSync('mount', ['-o', 'remount,size=64m', place]);
    await appendOne(ledger, 30_000);
    expect(await all(ledger.readAll())).toHaveLength(acknowledged + 1);
    expect(await verifyLedger(ledger, { gapBetween: gapsIn(path) })).toMatchObject({ broken: [], missing: [] });
  });
});
