import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditInput } from '#contract/audit.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { SearchInput } from '#contract/search.js';
import type { MemoryTurned } from '#events/catalogue.js';
import { turns } from '#memory/fold-memory.js';
import { type RealBank, type RealViews, realViews } from '../test-support/real-views.js';

const memories = ['m1', 'm2', 'm3', 'm4'] as const;
const words = ['database', 'staging', 'deploy', 'tea', '数据库', '迁移', 'v2.3.1', 'Caroline', 'Lisbon'];

type Step =
  | {
      readonly do: 'write';
      readonly memory: string;
      readonly content: string;
      readonly tags: readonly string[];
      readonly session?: string;
      readonly from?: number;
      readonly lasts?: number;
      readonly expires?: number;
    }
  | { readonly do: 'turn'; readonly memory: string; readonly type: MemoryTurned['type'] }
  | { readonly do: 'erase'; readonly memory: string }
  | { readonly do: 'replay' };

const memory = fc.constantFrom(...memories);
const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((each) => each.join(' '));
const hour = fc.integer({ min: -20, max: 20 });
const write = fc.record(
  {
    do: fc.constant('write' as const),
    memory,
    content,
    tags: fc.subarray(['red', 'blue']),
    session: fc.constantFrom('s1', 's2'),
    from: hour,
    lasts: fc.integer({ min: 1, max: 9 }),
    expires: hour,
  },
  { requiredKeys: ['do', 'memory', 'content', 'tags'] },
);
const turn = fc.record({
  do: fc.constant('turn' as const),
  memory,
  type: fc.constantFrom(...(Object.keys(turns) as MemoryTurned['type'][])),
});
const erase = fc.record({ do: fc.constant('erase' as const), memory });
const replay = fc.constant({ do: 'replay' as const });

const lived: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: write }, { weight: 3, arbitrary: turn }),
  { minLength: 1, maxLength: 14 },
);
const since: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: write },
    { weight: 6, arbitrary: turn },
    { weight: 3, arbitrary: erase },
    { weight: 1, arbitrary: replay },
  ),
  { minLength: 1, maxLength: 8 },
);
const include = fc.subarray(['superseded', 'retracted', 'expired', 'archived', 'quarantined'] as const);
const question: fc.Arbitrary<SearchInput> = fc.record(
  {
    query: content,
    top_k: fc.integer({ min: 1, max: 8 }),
    min_score: fc.constant(0),
    tags: fc.constant(['red']),
    include: include.map((each) => [...each]),
    explain: fc.boolean(),
  },
  { requiredKeys: ['query'] },
);

let views: RealViews;
let hours = 0;
beforeAll(async () => {
  views = await realViews();
});
afterAll(() => views.remove());

const time = (offset = 0) => new Date(Date.UTC(2026, 0, 1, hours + offset)).toISOString();

async function live(bank: RealBank, steps: readonly Step[], written: Map<string, number>): Promise<void> {
  for (const each of steps) {
    hours++;
    views.now = Date.parse(time());
    if (each.do === 'replay') await views.station.projector.replay();
    else if (each.do === 'write') {
      const { from, lasts, expires } = each;
      await bank.events.write(
        each.memory,
        {
          content: each.content,
          tags: each.tags,
          ...(each.session === undefined ? {} : { session: each.session }),
          ...(from === undefined ? {} : { validFrom: time(from) }),
          ...(lasts === undefined ? {} : { validTo: time((from ?? 0) + lasts) }),
          ...(expires === undefined ? {} : { expiresAt: time(expires) }),
        },
        time(),
      );
      if (!written.has(each.memory)) written.set(each.memory, hours);
    } else if (written.has(each.memory) && each.do === 'turn') await bank.events.turn(each.type, each.memory, time());
    else if (written.has(each.memory)) {
      await bank.events.erase(each.memory, time());
      bank.end(each.memory);
    }
  }
}

let repeated = 0;
let altered = 0;

/** A reviewer is told of a past basis what is held back since: a mark beside what is repeated. */
const unmarked = (items: readonly MemoryItem[]) => items.map(({ quarantined_at: _, ...item }) => item);

test.prop([lived, fc.array(question, { minLength: 1, maxLength: 3 }), since], { numRuns: 150 })(
  'over real files, a basis given back repeats items, order and scores; where an erasure since may have changed them, the answer says so',
  async (before, questions, after) => {
    const bank = views.bank();
    const written = new Map<string, number>();
    await live(bank, before, written);
    const knownAt = hours;
    const answers = [];
    for (const input of questions) answers.push({ input, answer: await bank.queries.search(input, bank.caller) });
    const state: AuditInput = {
      ask: 'state',
      include: ['superseded', 'retracted', 'expired', 'archived', 'quarantined'],
    };
    const whole = await bank.queries.audit(state, bank.caller);
    const gone = new Set<string>();
    for (const step of after) {
      await live(bank, [step], written);
      if (step.do === 'erase' && (written.get(step.memory) ?? Infinity) <= knownAt) gone.add(step.memory);
      for (const { input, answer } of answers) {
        const again = await bank.queries.search({ ...input, basis: answer.basis }, bank.caller);
        expect(again.basis).toBe(answer.basis);
        if (!again.altered_by_erasure) {
          expect(unmarked(again.items)).toEqual(answer.items);
          repeated++;
          continue;
        }
        altered++;
        // Never without an erasure of something that was known then, and nothing of what was erased is served.
        expect(gone.size).toBeGreaterThan(0);
        expect(again.items.filter(({ id }) => gone.has(id))).toEqual([]);
        expect(again.notes).toEqual([expect.stringContaining('erased since')]);
      }
      const told = await bank.queries.audit({ ...state, basis: whole.basis }, bank.caller);
      expect(told.rows).toEqual(whole.rows.filter(({ memory_id }) => !gone.has(memory_id!)));
      // What was true only later was not shown then, and its erasure takes nothing away.
      if (gone.size === 0) expect(told.altered_by_erasure).toBeUndefined();
      if (told.rows.length < whole.rows.length) expect(told.altered_by_erasure).toBe(true);
    }
  },
  300_000,
);

it('was repeated, and altered, often enough for that to mean something', () => {
  expect(repeated).toBeGreaterThan(300);
  expect(altered).toBeGreaterThan(30);
});

let withheld = 0;

const plainly = fc.array(fc.record({ do: fc.constant('write' as const), memory, content, tags: fc.constant([]) }), {
  minLength: 2,
  maxLength: 8,
});
const reviews = fc.array(
  fc.record({
    do: fc.constant('turn' as const),
    memory,
    type: fc.constantFrom('MemoryQuarantined', 'MemoryReleased', 'MemoryForgotten', 'MemoryArchived'),
  }),
  { minLength: 1, maxLength: 6 },
);

test.prop([plainly, content, fc.integer({ min: 1, max: 4 }), reviews], { numRuns: 60 })(
  'over real files, of what is held back or was rejected since who may not review is served nothing, and is told so; all else is repeated',
  async (before, query, top_k, after) => {
    const bank = views.bank();
    const written = new Map<string, number>();
    await live(bank, before, written);
    const reader = { ...bank.caller, roles: ['reader'] as const };
    const asked = { query, min_score: 0, top_k };
    const first = await bank.queries.search(asked, reader);
    const all = await bank.queries.search({ ...asked, basis: first.basis, top_k: 100 }, reader);
    for (const step of after) {
      await live(bank, [step], written);
      const past = { ...asked, basis: first.basis };
      expect(unmarked((await bank.queries.search(past, bank.caller)).items)).toEqual(first.items);
      const again = await bank.queries.search(past, reader);
      if (!again.altered_by_quarantine) {
        expect(again.items).toEqual(first.items);
        continue;
      }
      withheld++;
      const marked = (await bank.queries.search({ ...past, top_k: 100 }, bank.caller)).items;
      const since = new Set(marked.flatMap(({ id, quarantined_at: at }) => (at === undefined ? [] : [id])));
      // One that stood for another that says the same may have had its score from that one.
      const scores = new Map(all.items.flatMap(({ id, score, also }) => (also ? [] : [[id, score] as const])));
      for (const { id, score, quarantined_at } of again.items) {
        expect(since.has(id)).toBe(false);
        expect(quarantined_at).toBeUndefined();
        if (scores.has(id)) expect(score).toBe(scores.get(id));
      }
    }
  },
  300_000,
);

it('was withheld often enough for that to mean something', () => {
  expect(withheld).toBeGreaterThan(10);
});
