import { fc } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { MemoryTurned } from '#events/catalogue.js';
import { type RatingOutcome, ratingOutcomes } from '#events/memory-rated.js';
import { turns } from '#memory/fold-memory.js';
import { canonicalDump } from '#views/canonical-dump.js';
import type { Views } from '#views/views.js';
import { createProjector } from '../create-projector.js';
import { history } from './history.js';
import { type TestHome, testHome } from './test-home.js';
import { type Ended, vaultWithout } from './vault-without.js';

type Step =
  | { do: 'write'; bank: number; memory: number; seed: number }
  | { do: 'turn'; bank: number; memory: number; type: MemoryTurned['type'] }
  | { do: 'rate'; bank: number; memory: number; outcome: RatingOutcome }
  | { do: 'erase'; bank: number; memory: number }
  | { do: 'order'; bank: number; complete: boolean }
  | { do: 'recall'; bank: number; memory: number }
  | { do: 'end'; bank: number }
  | { do: 'project'; batch: number };

const where = { bank: fc.nat({ max: 2 }), memory: fc.nat({ max: 4 }) };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('write' as const), ...where, seed: fc.nat({ max: 40 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      ...where,
      type: fc.constantFrom(...(Object.keys(turns) as MemoryTurned['type'][])),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      ...where,
      outcome: fc.constantFrom(...ratingOutcomes),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('erase' as const), ...where }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('order' as const), bank: where.bank, complete: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recall' as const), ...where }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), bank: where.bank }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('project' as const), batch: fc.integer({ min: 1, max: 40 }) }) },
);

/** A store of one ledger's views; each call of what is returned opens it as another process would. */
export type OpenStore = (home: TestHome, name: string) => Promise<Views>;

/**
 * Views that held what was erased, and let go of it, are those that a ledger gives whose keys are gone: to the byte, whatever the batches.
 */
export function purgedIsRebuilt(open: OpenStore, runs: number): void {
  it('what was purged is what a rebuild without the keys gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 6, maxLength: 60 }), (steps) => oneHistory(open, steps)),
      { numRuns: runs, endOnFailure: true },
    );
  }, 600_000);
}

async function oneHistory(open: OpenStore, steps: readonly Step[]): Promise<void> {
  const home = await testHome();
  const ended: Ended = { secrets: new Set(), banks: new Set() };
  const vault = vaultWithout(home.vault, ended);
  const log = { info: () => undefined, warn: () => undefined };
  const deps = (views: Views) => ({ ledger: home.ledger, views, vault, log });
  const views = await open(home, 'live');
  const rebuilt = await open(home, 'rebuilt');
  try {
    const banks = ['b1', 'b2', 'b3'].map((bank) => history(home.ledger, home.vault, bank, `${bank}-`));
    const over = new Set<number>();
    const written = new Set<string>();
    for (const bank of banks) await bank.createBank('a bank');
    let ordered = 0;
    for (const step of steps) {
      if (step.do === 'project') {
        const projector = createProjector(deps(views), { batch: step.batch });
        await projector.catchUp({ everything: true });
        await projector.close();
        continue;
      }
      if (over.has(step.bank)) continue;
      const events = banks[step.bank]!;
      const memoryId = 'memory' in step ? `m${step.memory}` : '';
      const isWritten = written.has(`${step.bank} ${memoryId}`);
      switch (step.do) {
        case 'write':
          written.add(`${step.bank} ${memoryId}`);
          await events.write(memoryId, versionOf(step.seed));
          break;
        case 'turn':
          if (isWritten) await events.turn(step.type, memoryId);
          break;
        case 'rate':
          if (isWritten) await events.rate(memoryId, step.outcome);
          break;
        case 'erase':
          if (!isWritten) break;
          await events.erase(memoryId);
          for (const id of events.secretsOf(memoryId)) ended.secrets.add(id);
          break;
        case 'order':
          ordered++;
          await events.order(`o${ordered}`, 1, 2);
          await events.order(`o${ordered}`, 2, 2);
          if (step.complete) await events.complete(`o${ordered}`);
          break;
        case 'recall':
          await events.recallServed();
          break;
        case 'end':
          over.add(step.bank);
          await events.eraseBank();
          ended.banks.add(events.bank);
          if (step.bank === 1) await events.complete('x');
      }
    }
    for (const each of [views, rebuilt]) await createProjector(deps(each), { batch: 7 }).catchUp({ everything: true });
    expect(await linesOf(views)).toEqual(await linesOf(rebuilt));
    for (const each of [views, rebuilt])
      for (const id of await each.generations()) expect(await each.deadLetters(id)).toEqual([]);
  } finally {
    await views.close();
    await rebuilt.close();
    await home.remove();
  }
}

function versionOf(seed: number) {
  const spoken = seed % 2 === 0;
  return {
    content: `${spoken ? 'Ada Lee: ' : ''}word${seed % 7} ${'again '.repeat((seed * 7) % 20)} 数据库 ${seed}${spoken ? ' of PostgreSQL 16 last week?' : ''}`,
    ...(seed % 3 === 0 ? {} : { session: `s${seed % 3}` }),
    ...(seed % 5 === 1 ? { metadata: { speaker: '王芳' }, importance: 0.25, confidence: 0.5 } : {}),
    ...(seed % 3 === 0 ? { tags: ['red', `t${seed % 4}`], key: `key.${seed % 4}` } : {}),
    ...(seed % 4 === 0 ? { subjects: ['Ada'], expiresAt: '2026-03-02T00:00:00.000Z' } : {}),
    ...(seed % 5 === 0 ? { validFrom: `2026-02-${String(1 + (seed % 28)).padStart(2, '0')}T00:00:00.000Z` } : {}),
  };
}

async function linesOf(views: Views): Promise<string[]> {
  const lines: string[] = [];
  for (const id of await views.generations())
    if (id.active) for await (const line of canonicalDump(views, id)) lines.push(line);
  return lines;
}
