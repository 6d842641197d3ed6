import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, expect } from 'vitest';
import type { AuditRow } from '#contract/audit.js';
import type { MemoryTurned } from '#events/catalogue.js';
import { startsAnew, turns } from '#memory/fold-memory.js';
import { type RealViews, realViews } from '../test-support/real-views.js';

const memories = ['m1', 'm2'] as const;
const hours = 10;
/** System time never runs back in a ledger, whatever the bank: each case has days of its own. */
let day = 0;
const at = (hour: number): string => new Date(Date.UTC(2026, 2, 1 + day * 3, hour)).toISOString();

type Step = {
  readonly memory: (typeof memories)[number] /** Hours since the step before. */;
  readonly later: number;
} & (
  | { readonly do: 'write'; readonly from?: number; readonly to?: number; readonly expires?: number }
  | { readonly do: MemoryTurned['type'] }
);

const hour = fc.nat({ max: hours });
const common = { memory: fc.constantFrom(...memories), later: fc.nat({ max: 1 }) };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record(
        { ...common, do: fc.constant('write' as const), from: hour, to: hour, expires: hour },
        { requiredKeys: ['memory', 'later', 'do'] },
      )
      .map(({ to, ...write }) => ({ ...write, ...(to !== undefined && to > (write.from ?? hours) ? { to } : {}) })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ...common, do: fc.constantFrom(...(Object.keys(turns) as MemoryTurned['type'][])) }),
  },
);
const point = fc.record({
  asOf: fc.integer({ min: -1, max: hours }),
  validAt: fc.integer({ min: -1, max: hours + 1 }),
});

interface Said {
  readonly version: number;
  readonly from: number;
  readonly to: number;
  readonly expires: number;
}

/** What is known of a memory, said as simply as it can be: everything that was said of it in order, and how it stands. */
function replayed(steps: readonly { step: Step; recorded: number }[], memory: string, asOf: number) {
  let status: ReturnType<typeof statusOf> = 'absent';
  let version = 0;
  let said: Said[] = [];
  let heldBack = new Set<number>();
  for (const { step: each, recorded } of steps) {
    if (each.memory !== memory || recorded > asOf) continue;
    if (each.do === 'write') {
      const from = each.from ?? recorded;
      if (startsAnew(status)) said = [];
      said.push({ version: ++version, from, to: each.to ?? Infinity, expires: each.expires ?? Infinity });
      if (status === 'quarantined') heldBack.add(version);
      else status = 'current';
    } else if (status !== 'absent') {
      const turned = statusOf(each.do);
      // All that was to be seen when it was held back is, and all that was written to it since.
      if (turned !== status) heldBack = turned === 'quarantined' ? aboutAnyTime(said) : new Set();
      status = turned;
    }
  }
  return { status, heldBack, holder: (hour: number) => holderOf(said, hour) };
}

function holderOf(said: readonly Said[], hour: number): Said | undefined {
  return said.findLast(({ from, to }) => from <= hour && hour < to);
}

function aboutAnyTime(said: readonly Said[]): Set<number> {
  const about = new Set<number>();
  for (let each = -2; each <= hours + 3; each++) if (holderOf(said, each)) about.add(holderOf(said, each)!.version);
  return about;
}

function statusOf(type: MemoryTurned['type']): 'absent' | (typeof turns)[MemoryTurned['type']]['status'] {
  return turns[type].status;
}

/** What the state at a point shows of a memory: [version, status, valid_from, valid_to], the times of what is aside left out. */
function expected(steps: readonly { step: Step; recorded: number }[], memory: string, asOf: number, validAt: number) {
  const { status, holder, heldBack } = replayed(steps, memory, asOf);
  if (status === 'absent') return [];
  if (status === 'quarantined')
    return [...heldBack].sort((one, other) => one - other).map((version) => [version, status]);
  if (status !== 'current') {
    // What was taken or held back or laid aside is so at every time that it was about.
    const about = new Set<number>();
    for (let each = -2; each <= hours + 3; each++) if (holder(each)) about.add(holder(each)!.version);
    return [...about].sort().map((version) => [version, status]);
  }
  const held = holder(validAt);
  if (!held) return [];
  let from = validAt;
  while (holder(from - 1)?.version === held.version) from--;
  let to = validAt + 1;
  while (to <= hours + 2 && holder(to)?.version === held.version) to++;
  const until = to > hours + 2 ? [] : [at(to)];
  return [[held.version, held.expires <= validAt ? 'expired' : 'current', at(from), ...until]];
}

let views: RealViews;
beforeAll(async () => {
  views = await realViews();
});
afterAll(() => views.remove());

test.prop([fc.array(step, { minLength: 1, maxLength: 14 }), fc.array(point, { minLength: 6, maxLength: 10 })], {
  numRuns: 200,
})(
  'over real files, what is known at any time of any time is what replaying the events gives',
  async (steps, points) => {
    const { events, queries, caller } = views.bank();
    day++;
    const happened: { step: Step; recorded: number }[] = [];
    const versions = new Map<string, number>();
    let recorded = 0;
    for (const each of steps) {
      recorded = Math.min(hours, recorded + each.later);
      if (each.do === 'write') {
        versions.set(each.memory, (versions.get(each.memory) ?? 0) + 1);
        const { from, to, expires } = each;
        const times = {
          ...(from === undefined ? {} : { validFrom: at(from) }),
          ...(to === undefined ? {} : { validTo: at(to) }),
          ...(expires === undefined ? {} : { expiresAt: at(expires) }),
        };
        await events.write(each.memory, { content: `note of ${each.memory}`, ...times }, at(recorded));
      } else if (versions.has(each.memory)) await events.turn(each.do, each.memory, at(recorded));
      else continue;
      happened.push({ step: each, recorded });
    }
    views.now = Date.parse(at(hours));
    for (const { asOf, validAt } of points) {
      const when = { as_of: at(asOf), valid_at: at(validAt) };
      const include = ['expired', 'retracted', 'archived', 'quarantined'] as const;
      const { rows, basis } = await queries.audit({ ask: 'state', ...when, include: [...include] }, caller);
      const wanted = memories.map((memory) => expected(happened, memory, asOf, validAt));
      expect(memories.map((memory) => told(rows, memory))).toEqual(wanted);
      // The same by the basis, whatever the clock says then.
      const again = await queries.audit({ ask: 'state', basis, valid_at: at(validAt), include: [...include] }, caller);
      expect(again.rows).toEqual(rows);
      const { items } = await queries.search({ query: 'note', top_k: 100, ...when }, caller);
      const current = memories.filter((_, place) => wanted[place]!.some(([, status]) => status === 'current'));
      expect(items.map(({ id }) => id).sort()).toEqual(current);
      for (const memory of memories.filter((each) => versions.has(each))) {
        const { entries } = await queries.history({ memory_id: memory, as_of: at(asOf) }, caller);
        expect(entries).toHaveLength(
          happened.filter((each) => each.step.memory === memory && each.recorded <= asOf).length,
        );
      }
    }
  },
  300_000,
);

function told(rows: readonly AuditRow[], memory: string): unknown[] {
  return rows
    .filter(({ memory_id }) => memory_id === memory)
    .map(({ version, status, valid_from, valid_to }) =>
      status === 'current' || status === 'expired'
        ? [version, status, valid_from, ...(valid_to ? [valid_to] : [])]
        : [version, status],
    );
}
