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
  readonly ledger: Percentiles;
  /** How fast the ledger is, of the raw driver's speed, by the medians. */
  readonly ratio: number;
}

/**
 * Appends with an fsync each, sealing and hashing included, against the bare driver that writes random bytes of the same size into the
 * same table and indexes; in turns, in one run, so that what else the machine does meets both.
 */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-append-'));
  const ledger = await openSqliteLedger(join(folder, 'ledger.db'));
  const ours = sealedLedger(ledger);
  const raw = await rawDriver(join(folder, 'raw.db'), ours.eventBytes);
  const lines: Line[] = [];
  let written = 0;
  for (const size of sizes) {
    for (; written < size; written += batch * 10) {
      await ours.append(batch * 10);
      await raw.append(batch * 10);
    }
    for (const events of [1, batch] as const) {
      const line = await compare(raw, ours, size, events);
      written += rounds * events * (events === 1 ? singlesPerRound : batchesPerRound);
      lines.push(line);
      if (!options.json) print(line);
    }
  }
  const megabytes = process.memoryUsage().rss / 1024 ** 2;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ lines, eventBytes: ours.eventBytes, megabytes })}\n`
      : `events of ${ours.eventBytes} bytes; memory ${megabytes.toFixed(0)} MB\n`,
  );
  await raw.close();
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
}

async function compare(raw: Appender, ours: Appender, before: number, events: 1 | 100): Promise<Line> {
  const times = { raw: [] as number[], ours: [] as number[] };
  const turns = events === 1 ? singlesPerRound : batchesPerRound;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, appender] of round % 2
      ? ([
          ['raw', raw],
          ['ours', ours],
        ] as const)
      : ([
          ['ours', ours],
          ['raw', raw],
        ] as const)) {
      for (let turn = 0; turn < turns; turn += 1) times[name].push(await appender.append(events));
    }
  }
  const [rawTimes, ourTimes] = [percentiles(times.raw), percentiles(times.ours)];
  return { before, events, raw: rawTimes, ledger: ourTimes, ratio: rawTimes.p50 / ourTimes.p50 };
}

function print({ before, events, raw, ledger, ratio }: Line): void {
  const what = events === 1 ? 'single appends      ' : '100-row transactions';
  process.stdout.write(
    `${what} ${String(before).padStart(6)} there   driver ${inMilliseconds(raw)}   ledger ${inMilliseconds(ledger)}   ${(ratio * 100).toFixed(0)}% of the driver\n`,
  );
}
