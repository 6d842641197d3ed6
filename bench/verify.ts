import { hash } from 'node:crypto';
import { loadavg } from 'node:os';
import { sealLedger } from '#ledger/seal-ledger.js';
import { gapsIn } from '#ledger/sqlite/gaps.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { manyBanksHome } from './load/many-banks-home.js';

const sizes = [1_000, 10_000, 100_000];
const banks = 16;
const rounds = 3;

interface Measured {
  readonly events: number;
  readonly bytes: number;
  readonly eventsPerSecond: number;
  /** Reading all events and hashing their bytes with SHA-256: nothing else. */
  readonly baselinePerSecond: number;
  /** The same two per second of processor time: on a busy machine a second is less. */
  readonly eventsPerCpuSecond: number;
  readonly baselinePerCpuSecond: number;
  readonly seals: number;
  /** One more seal, with 100 events since the last one; and one over all of them. */
  readonly sealNextMs: number;
  readonly sealAllMs: number;
  readonly load: number;
}

/** Verifying a ledger of new memories, a sentence or two each, in 16 banks, that was sealed every 1,000 events. The best of three rounds. */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const home = await manyBanksHome(banks);
  const { ledger, paths, sources } = home.embedded;
  const tools = { now: sources.now, uuid: sources.uuid, principal: 'bench' };
  const results: Measured[] = [];
  let written = 0;
  for (const size of sizes) {
    while (written < size) {
      const next = Math.min(1_000, size - written);
      await home.fill(next);
      written += next;
      await sealLedger(ledger, tools);
    }
    const verified: Took[] = [];
    const bare: Took[] = [];
    let found = await verifyLedger(ledger, { gapBetween: gapsIn(paths.ledger) });
    for (let round = 0; round < rounds; round++) {
      bare.push(
        await timed(async () => {
          for await (const { bytes } of ledger.readAll()) hash('sha256', bytes, 'binary');
        }),
      );
      verified.push(
        await timed(async () => {
          found = await verifyLedger(ledger, { gapBetween: gapsIn(paths.ledger) });
        }),
      );
      if (found.firstFault || found.seals.faults.length > 0)
        throw new Error(found.firstFault?.what ?? 'a seal is wrong');
    }
    await home.fill(100);
    written += 100;
    const next = await timed(() => sealLedger(ledger, tools));
    const all = await timed(() => sealLedger({ ...ledger, readStream: none, append: stored }, tools));
    const best = (took: readonly Took[], of: keyof Took) => found.events / Math.min(...took.map((each) => each[of]));
    const measured = {
      events: found.events,
      bytes: found.bytes,
      eventsPerSecond: best(verified, 'seconds'),
      baselinePerSecond: best(bare, 'seconds'),
      eventsPerCpuSecond: best(verified, 'cpu'),
      baselinePerCpuSecond: best(bare, 'cpu'),
      seals: found.seals.count,
      sealNextMs: next.seconds * 1000,
      sealAllMs: all.seconds * 1000,
      load: loadavg()[0]!,
    };
    results.push(measured);
    if (!options.json) report(measured);
  }
  await home.remove();
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

/** As if nothing had been sealed yet. */
async function* none(): AsyncGenerator<never> {}
const stored = async () => ({ position: '', revision: 0, repeated: false });

interface Took {
  readonly seconds: number;
  readonly cpu: number;
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - began) / 1000, cpu: (user + system) / 1e6 };
}

function report(of: Measured): void {
  const rate = (value: number) => value.toFixed(0);
  process.stdout.write(
    `${String(of.events).padStart(7)} events (${(of.bytes / of.events).toFixed(0)} bytes each, ${of.seals} seals)  verified ${rate(of.eventsPerSecond)}/s (${rate(of.eventsPerCpuSecond)} per CPU second); ` +
      `read and SHA-256 alone ${rate(of.baselinePerSecond)}/s (${rate(of.baselinePerCpuSecond)}); a seal after 100 more ${of.sealNextMs.toFixed(1)} ms, after all ${of.sealAllMs.toFixed(0)} ms; load ${of.load.toFixed(1)}\n`,
  );
}
