import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import { openEmbedded } from '../services/cli/embedded/open-embedded.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { sentences } from './load/sentences.js';

interface Measured {
  readonly memories: number;
  readonly erased: number;
  /** Finding what would go, in milliseconds. */
  readonly planned: number;
  /** From the confirmed call to its certificate, in milliseconds. */
  readonly completed: number;
  /** Processor time of it, in milliseconds: what a loaded machine changes least. */
  readonly cpu: number;
  /** Retracting as many by a filter, in the same run. */
  readonly retracted: number;
}

/** Memories about the person who is erased. */
const aboutOne = 1_000;

/** Erasing a person among many memories, beside retracting as many. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-erase-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  const { commands, queries, projector } = home;
  const who = home.caller('bench');
  const text = sentences(7);
  const results: Measured[] = [];
  let memories = 0;

  async function write(count: number, more: object = {}): Promise<void> {
    for (let left = count; left > 0; left -= 500) {
      const items = Array.from({ length: Math.min(500, left) }, () => ({ content: text.next(), ...more }));
      await commands.write({ items }, who);
    }
    memories += count;
    await projector.catchUp();
  }

  for (const size of options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]) {
    await write(size - memories);
    const person = `Person among ${size}`;
    await write(aboutOne, { subjects: [person] });
    await write(aboutOne, { tags: [`tag-${size}`] });
    for (let asked = 0; asked < 20; asked++) await queries.search({ query: text.next() }, who);

    const filter = { tags: [`tag-${size}`] };
    const retracting = performance.now();
    const planned = await commands.forget({ filter, reason: 'bench' }, who);
    await commands.forget({ filter, reason: 'bench', confirm: planned.confirm }, who);
    await projector.catchUp();
    const retracted = performance.now() - retracting;

    const planning = performance.now();
    const { confirm, total } = await commands.erase({ subject: person, reason: 'bench' }, who);
    const asking = performance.now();
    const used = process.cpuUsage();
    const ask = () => commands.erase({ subject: person, reason: 'bench', ...(confirm ? { confirm } : {}) }, who);
    let done = await ask();
    // On a busy machine it may take longer than one call waits.
    while (done.status === 'erasing') done = await ask();
    const completed = performance.now() - asking;
    const { user, system } = process.cpuUsage(used);
    if (done.status !== 'erased' || total !== aboutOne)
      throw new Error(`not erased: ${JSON.stringify(done).slice(0, 200)}`);
    const measured = {
      memories,
      erased: total,
      planned: asking - planning,
      completed,
      cpu: (user + system) / 1000,
      retracted,
    };
    results.push(measured);
    if (!options.json) report(measured);
  }
  await home.close();
  rmSync(folder, { recursive: true });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function report({ memories, erased, planned, completed, cpu, retracted }: Measured): void {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  process.stdout.write(
    `${memories} memories: erasing a person with ${erased}: shown in ${ms(planned)}, completed ${ms(completed)} after it was confirmed (${ms(cpu)} of processor time); retracting as many ${ms(retracted)} (ratio ${(completed / retracted).toFixed(1)})\n`,
  );
}
