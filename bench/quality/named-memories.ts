import type { MemoryRecord } from './material.js';

interface Named extends MemoryRecord {
  readonly canonical_name?: string | null;
  readonly aliases?: readonly string[] | null;
  readonly pinned?: boolean | null;
  readonly superseded_by?: string | null;
}

/** Sets in the manner of PrecisionMemBench give each fact a name, aliases, and what replaced it. */
export function isNamed(record: MemoryRecord): boolean {
  return 'canonical_name' in record || 'aliases' in record || 'superseded_by' in record;
}

/**
 * Such facts as a person would write them with memory_write: the names are tags, a fact and what replaced it are versions of one slot,
 * the oldest first, and what is pinned matters more.
 */
export function namedMemories(records: readonly MemoryRecord[]): MemoryRecord[] {
  const facts = records as readonly Named[];
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const ends = facts.map((fact) => endOf(fact, byId));
  return facts
    .map((fact, at) => {
      const { end, steps } = ends[at]!;
      const tags = [...new Set([fact.canonical_name, ...(fact.aliases ?? [])].filter((tag) => !!tag?.trim()))];
      const slot = end.id !== fact.id || facts.some(({ superseded_by }) => superseded_by === fact.id);
      const line = {
        id: fact.id,
        ...(fact.conv_id === undefined ? {} : { conv_id: fact.conv_id }),
        kind: 'semantic',
        content: fact.text,
        ...(tags.length ? { tags: tags as string[] } : {}),
        ...(slot ? { key: `${end.canonical_name ?? 'fact'} (${end.id})` } : {}),
        ...(fact.pinned ? { importance: 0.9 } : {}),
      };
      return { line, steps };
    })
    .sort((one, other) => other.steps - one.steps)
    .map(({ line }) => line);
}

/** What stands at the end of a chain of replacements, and how far away; a chain that turns in a circle ends where it began. */
function endOf(fact: Named, byId: ReadonlyMap<string, Named>): { end: Named; steps: number } {
  const seen = new Set<string>();
  let end = fact;
  while (end.superseded_by && byId.has(end.superseded_by) && !seen.has(end.id)) {
    seen.add(end.id);
    end = byId.get(end.superseded_by)!;
  }
  return { end, steps: seen.size };
}
