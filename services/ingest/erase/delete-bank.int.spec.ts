import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { ViewsReader } from '#views/reader.js';
import { type IngestHome, ingestHome } from '../test-support/ingest-home.js';
import type { ErasingViews } from './erasing-deps.js';

/** Longer than a deletion takes here, so that nothing but its waiting can be what is seen. */
const freshFor = 1_000;

/** Of a bank that goes as a whole the views are only asked how much was in it. */
const erasing: ErasingViews = {
  upToDate: async () => ({ counts: async () => [] }) as Partial<ViewsReader> as ViewsReader,
  purge: async () => undefined,
  asTheyAre: async () => ({ unfinishedErasures: async () => [] }) as Partial<ViewsReader> as ViewsReader,
};

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

describe('a bank that is deleted while others write to it', () => {
  it('is not said to be gone before nobody takes it for alive any more, and takes with it what came before', async () => {
    let endedAt: number | undefined;
    let reads = 0;
    const writer = await home.process({
      bankLifeFreshFor: freshFor,
      wrap: (ledger) => ({
        ...ledger,
        readStream: (stream, options) => {
          if (stream.includes('.bank-')) reads += 1;
          return ledger.readStream(stream, options);
        },
      }),
    });
    const deleter = await home.process({
      bankLifeFreshFor: freshFor,
      erasing,
      wrap: (ledger) => ({
        ...ledger,
        async append(stream, events, expected) {
          const appended = await ledger.append(stream, events, expected);
          if (events.some(({ type }) => type === 'BankErased')) endedAt = performance.now();
          return appended;
        },
      }),
    });
    const who = { ...deleter.caller, roles: ['admin'] } as const;
    const { confirm } = await deleter.commands.eraseBank({ reason: 'over' }, who);

    const writes: { readonly began: number; readonly error?: unknown }[] = [];
    let over = false;
    const writing = (async () => {
      while (!over) {
        const began = performance.now();
        try {
          await writer.commands.write({ content: `fact ${writes.length}` }, writer.caller);
          writes.push({ began });
        } catch (error) {
          writes.push({ began, error });
          // A refusal needs nothing but memory: others must come to a turn.
          await sleep(1);
        }
      }
    })();
    while (writes.length < 20) await sleep(5);
    expect(await deleter.commands.eraseBank({ reason: 'over', confirm }, who)).toMatchObject({ status: 'erased' });
    const saidAt = performance.now();
    while (writes.at(-1)!.began < saidAt) await sleep(5);
    over = true;
    await writing;

    expect(saidAt - endedAt!).toBeGreaterThanOrEqual(freshFor);
    const later = writes.filter(({ began }) => began >= saidAt);
    expect(later.length).toBeGreaterThan(0);
    for (const { error } of later) expect(isHindsightError(error, 'bank_erased')).toBe(true);
    // Those in between were taken, on an answer from before: they stand before the deletion's completion, and go with the bank.
    expect(writes.filter(({ began, error }) => began > endedAt! && !error).length).toBeGreaterThan(0);
    expect(reads).toBeLessThan(writes.length / 5);
    for (const { error } of writes.filter(({ error }) => error !== undefined))
      expect(isHindsightError(error, 'bank_erased')).toBe(true);
  });
});
