import type { Columns } from '../../bank-index/columns.js';
import { entityNumbersOf } from '../../bank-index/doc-columns.js';
import type { FoundAt } from '../../bank-index/findings.js';
import type { Visibility } from '../../bank-index/visibility.js';
import type { AskedName } from '../ranking/question.js';
import { roomFor } from './scratch.js';

/** What names say of each doc. Scratch of this process: read before the next question is scored. */
export interface EntityScores {
  /** Docs that have a score; the first `found` places count. */
  readonly docs: Int32Array;
  readonly found: number;
  /** 0 of docs that are not among `docs`. */
  readonly of: Float64Array;
  /** The highest of what is current. */
  readonly most: number;
}

let scores = new Float64Array(0);
let docs = new Int32Array(0);
let count = 0;

/** Docs that name what the question names are looked at for what else they name, the newest ones first, so many of them. */
const looked = 256;
/** Names that are followed to other docs. */
const followed = 12;
/** What a doc weighs that is reached over another one, against one that is named: Personalised PageRank's usual damping, squared. */
const damping = 0.7 ** 2;

/**
 * By what is named: docs that name what the question names, and those that share other names with them (entity, memory, entity: two hops).
 * A name counts by how rare it is, as words do: ln(1 + (N − df + .5) / (df + .5)).
 * @param found names that a model had found by the basis, beside those that rules find
 */
export function entityScores(
  named: readonly AskedName[],
  columns: Columns,
  basis: Visibility,
  { scored, current }: { readonly scored: Uint8Array; readonly current: Uint8Array },
  found?: FoundAt,
): EntityScores {
  startOver(columns.docs);
  const direct = new Set<number>();
  for (const { postings, number } of named) {
    const naming = joined(postings.docs, number === undefined ? undefined : found?.docsOf(number));
    const occurs = currentAmong(naming, basis);
    add(naming, rarity(basis.count, occurs), scored);
    addNewest(direct, naming, basis);
  }
  if (direct.size > 0) {
    const asked = new Set(named.map(({ number }) => number));
    for (const [linked, weight] of linkedBy(direct, asked, columns, basis, found)) add(linked, weight, scored);
  }
  let most = 0;
  for (let at = 0; at < count; at++) if (current[docs[at]!] === 1) most = Math.max(most, scores[docs[at]!]!);
  return { docs, found: count, of: scores, most };
}

function startOver(size: number): void {
  for (let at = 0; at < count; at++) scores[docs[at]!] = 0;
  count = 0;
  if (scores.length >= size) return;
  scores = new Float64Array(roomFor(size));
  docs = new Int32Array(roomFor(size));
}

function add(to: Int32Array, weight: number, eligible: Uint8Array): void {
  if (!(weight > 0)) return;
  for (let at = 0; at < to.length; at++) {
    const doc = to[at]!;
    if (eligible[doc] !== 1) continue;
    if (scores[doc] === 0) docs[count++] = doc;
    scores[doc]! += weight;
  }
}

function currentAmong(naming: Int32Array, { isCurrent }: Visibility): number {
  let current = 0;
  for (let at = 0; at < naming.length; at++) current += isCurrent[naming[at]!] ?? 0;
  return current;
}

/** Adds the newest docs that are current. */
function addNewest(direct: Set<number>, naming: Int32Array, { isCurrent }: Visibility): void {
  for (let at = naming.length - 1, left = looked; at >= 0 && left > 0; at--) {
    if (isCurrent[naming[at]!] !== 1) continue;
    direct.add(naming[at]!);
    left--;
  }
}

function rarity(count: number, occurs: number): number {
  return Math.log(1 + (count - occurs + 0.5) / (occurs + 0.5));
}

/** Docs behind the names that are closest to what was asked, with what each of these names gives. */
function linkedBy(
  direct: ReadonlySet<number>,
  asked: ReadonlySet<number | undefined>,
  columns: Columns,
  basis: Visibility,
  found: FoundAt | undefined,
): (readonly [Int32Array, number])[] {
  const links = new Map<number, number>();
  for (const doc of direct)
    for (const name of namesOf(columns, doc, found)) if (!asked.has(name)) links.set(name, (links.get(name) ?? 0) + 1);
  const byRules = docsByName(columns);
  const index = (name: number): Int32Array => joined(byRules(name), found?.docsOf(name));
  const hashOf = (name: number): string => columns.entityNumbers.hash(name);
  return (
    [...links]
      .map(([name, times]) => {
        const linked = index(name);
        const current = currentAmong(linked, basis);
        return { name, linked, weight: current > 0 ? (times / current) * rarity(basis.count, current) * damping : 0 };
      })
      // By the hash where they weigh the same: numbers are given in the order of what is there, and an erasure moves them.
      .sort((one, other) => other.weight - one.weight || order(hashOf(one.name), hashOf(other.name)))
      .slice(0, followed)
      .map(({ linked, weight }) => [linked, weight] as const)
  );
}

/** Numbers of the names in a doc, by rules and by a model, each once. */
function namesOf(columns: Columns, doc: number, found: FoundAt | undefined): Iterable<number> {
  const byRules = entityNumbersOf(columns, doc);
  const more = found?.namesOf(doc) ?? [];
  return more.length === 0 ? byRules : new Set([...byRules, ...more]);
}

/** Both, ascending, each once. */
function joined(docs: Int32Array, more: readonly number[] = []): Int32Array {
  return more.length === 0 ? docs : Int32Array.from(new Set([...docs, ...more])).sort();
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

interface Inverse {
  readonly docs: number;
  readonly names: number;
  readonly of: (name: number) => Int32Array;
}

const inverse = new WeakMap<Columns, Inverse>();

/** Docs by the names in them, ascending; made once for as long as neither a doc is added nor a name, which a model may find in any. */
function docsByName(columns: Columns): (name: number) => Int32Array {
  const known = inverse.get(columns);
  const names = columns.entityNumbers.size + 1;
  if (known?.docs === columns.docs && known.names === names) return known.of;
  const ends = new Int32Array(names + 1);
  const last = columns.docs === 0 ? 0 : columns.entitiesEnd[columns.docs - 1]!;
  for (let at = 0; at < last; at++) ends[columns.entities[at]! + 1]!++;
  for (let name = 0; name < names; name++) ends[name + 1]! += ends[name]!;
  const starts = ends.slice();
  const docs = new Int32Array(last);
  for (let doc = 0; doc < columns.docs; doc++)
    for (const name of entityNumbersOf(columns, doc)) docs[starts[name]!++] = doc;
  const of = (name: number): Int32Array => docs.subarray(ends[name]!, ends[name + 1]!);
  inverse.set(columns, { docs: columns.docs, names, of });
  return of;
}
