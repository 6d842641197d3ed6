import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { type Appender, rawDriver, sealedLedger } from './load/appenders.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';

const sizes = [0, 1000, 10_000, 100_000];
const rounds = 10;
const singlesPerRound = 100;
const batchesPerRound = 10;
const batch = 100;

interface Line {
  readonly before: number;
  readonly events: 1 | 100;
  readonly raw: Percentiles;
  readonly guarded: Percentiles;
  readonly ledger: Percentiles;
  /** How fast the ledger is, of the bare driver's speed, by the medians. */
  readonly ratio: number;
  /** … of the driver's speed with the ledger's triggers. */
  readonly guardedRatio: number;
}

interface Appenders {
  readonly raw: Appender;
  readonly guarded: Appender;
  readonly ledger: Appender;
}

/**
 * Appends with an fsync each, sealing and hashing included, against the driver that writes random bytes of the same size into the
 * same table and indexes: bare, which is the harsher reading, and with the triggers that keep a ledger append-only, which is what
 * the same promise costs. In turns, in one run, so that what else the machine does meets all.
 */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-append-'));
  const store = await openSqliteLedger(join(folder, 'ledger.db'));
  const ledger = sealedLedger(store);
  const raw = await rawDriver(join(folder, 'raw.db'), ledger.eventBytes);
  const guarded = await rawDriver(join(folder, 'guarded.db'), ledger.eventBytes, { triggers: true });
  const all = { raw, guarded, ledger };
  await warmUp(folder);
  const lines: Line[] = [];
  let written = 0;
  for (const size of sizes) {
    for (; written < size; written += batch * 10)
      for (const appender of Object.values(all)) await appender.append(batch * 10);
    for (const events of [1, batch] as const) {
      const line = await compare(all, size, events);
      written += rounds * events * (events === 1 ? singlesPerRound : batchesPerRound);
      lines.push(line);
      if (!options.json) print(line);
    }
  }
  const megabytes = process.memoryUsage().rss / 1024 ** 2;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ lines, eventBytes: ledger.eventBytes, megabytes })}\n`
      : `events of ${ledger.eventBytes} bytes; memory ${megabytes.toFixed(0)} MB\n`,
  );
  await Promise.all([raw.close(), guarded.close(), store.close()]);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Has the code compiled on files that are thrown away, so that an empty ledger differs from a full one by its files only: while the log
 * still grows, an fsync takes .29 ms instead of .15 when it is written over.
 */
async function warmUp(folder: string): Promise<void> {
  const store = await openSqliteLedger(join(folder, 'warm-ledger.db'));
  const ledger = sealedLedger(store);
  const raw = await rawDriver(join(folder, 'warm-raw.db'), ledger.eventBytes, { triggers: true });
  for (let round = 0; round < 2000; round += 1) for (const appender of [ledger, raw]) await appender.append(1);
  for (let round = 0; round < 50; round += 1) for (const appender of [ledger, raw]) await appender.append(batch);
  await Promise.all([raw.close(), store.close()]);
}

async function compare(all: Appenders, before: number, events: 1 | 100): Promise<Line> {
  const times = { raw: [] as number[], guarded: [] as number[], ledger: [] as number[] };
  const names = ['raw', 'guarded', 'ledger'] as const;
  const turns = events === 1 ? singlesPerRound : batchesPerRound;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 ? names : names.toReversed()) {
      for (let turn = 0; turn < turns; turn += 1) times[name].push(await all[name].append(events));
    }
  }
  const [raw, guarded, ledger] = [percentiles(times.raw), percentiles(times.guarded), percentiles(times.ledger)];
  return { before, events, raw, guarded, ledger, ratio: raw.p50 / ledger.p50, guardedRatio: guarded.p50 / ledger.p50 };
}

function print({ before, events, raw, ledger, ratio, guardedRatio }: Line): void {
  const what = events === 1 ? 'single appends      ' : '100-row transactions';
  process.stdout.write(
    `${what} ${String(before).padStart(6)} there   driver ${inMilliseconds(raw)}   ledger ${inMilliseconds(ledger)}   ${percent(ratio)} of the bare driver, ${percent(guardedRatio)} of one with the ledger's triggers\n`,
  );
}

const percent = (share: number) => `${(share * 100).toFixed(0)}%`;
