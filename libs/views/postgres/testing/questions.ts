import type { Caller } from '#contract/caller.js';
import type { QueryPort } from '#contract/query-port.js';
import type { SearchInput } from '#contract/search.js';
import type { TestHome } from '#projector/test-support/test-home.js';
import { createQueries } from '#query/create-queries.js';
import type { Views } from '../../views.js';

/** What a caller may ask of the bank b1. */
export const asker: Caller = { bank: 'b1', principal: 'ann', roles: ['reader'] };

/** After all that `anyLife` writes. */
export const clock = Date.parse('2026-03-02T00:00:00.000Z');

/** Questions over some views, which are answered from as they are, at a clock that stands. */
export function queriesOver({ ledger, vault }: Pick<TestHome, 'ledger' | 'vault'>, views: Views): QueryPort {
  return createQueries({
    ledger,
    vault,
    reader: () => views.reader(),
    viewsStamp: () => views.stamp(),
    catchUp: async () => undefined,
    recordRecall: async () => undefined,
    recordAudit: async () => undefined,
    sources: { now: () => clock, uuid: () => 'r', random: (bytes) => new Uint8Array(bytes) },
    recallMode: 'relaxed',
    projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
    storeSizes: async () => ({}),
    onRecordingFailed: () => undefined,
  });
}

const words =
  'database staging deploy tea build rollback Kafka the of v2.3.1 pg-1 数据库 迁移 部署计划 周三 喝茶 回滚'.split(' ');

/** Numbers below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function someWords(random: () => number, most: number): string {
  const count = 1 + Math.floor(random() * most);
  return Array.from({ length: count }, () => words[Math.floor(random() ** 2 * words.length)]!).join(' ');
}

const day = 86_400_000;
const memories = 12;

/** One more event of a bank: a version with any of what a version may have, or a turn. */
export async function liveOn(home: TestHome, random: () => number): Promise<void> {
  const { events } = home;
  const memory = `m${Math.floor(random() * memories)}`;
  const time = (spread: number) =>
    new Date(Date.parse('2026-03-01T00:00:00Z') + (random() - 0.5) * spread).toISOString();
  const kind = random();
  if (kind < 0.12) await events.forget(memory);
  else if (kind < 0.2) await events.restore(memory);
  else if (kind < 0.25) await events.recallServed();
  else
    await events.write(memory, {
      content: someWords(random, 30),
      ...(random() < 0.3 ? { key: `slot.${memory}` } : {}),
      ...(random() < 0.3 ? { tags: ['red', 'blue'].slice(Math.floor(random() * 2)) } : {}),
      ...(random() < 0.2 ? { subjects: ['Ada'] } : {}),
      ...(random() < 0.3 ? { session: `s${Math.floor(random() * 3)}` } : {}),
      ...(random() < 0.2 ? { kind: 'episodic' as const, occurredAt: time(30 * day) } : {}),
      ...(random() < 0.2 ? { validFrom: time(10 * day) } : {}),
      ...(random() < 0.1 ? { validTo: time(4 * day) } : {}),
      ...(random() < 0.2 ? { expiresAt: time(6 * day) } : {}),
    });
}

export function anyQuestion(random: () => number): SearchInput {
  return {
    query: someWords(random, 6),
    top_k: 1 + Math.floor(random() * 10),
    ...(random() < 0.2 ? { tags: ['red'] } : {}),
    ...(random() < 0.1 ? { subject: 'Ada' } : {}),
    ...(random() < 0.1 ? { session_id: 's1' } : {}),
    ...(random() < 0.1 ? { kinds: ['episodic' as const] } : {}),
    ...(random() < 0.2 ? { valid_at: new Date(clock - random() * 3 * day).toISOString() } : {}),
    ...(random() < 0.2 ? { as_of: new Date(clock - random() * day).toISOString() } : {}),
    ...(random() < 0.3 ? { include: ['superseded', 'retracted', 'expired'] as const } : {}),
    explain: random() < 0.5,
  } as SearchInput;
}
