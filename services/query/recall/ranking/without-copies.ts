import type { Columns } from '../../bank-index/columns.js';
import type { KeywordScores } from '../legs/keyword-scores.js';

/** Docs that agree in all their scores are taken for copies of one text: so many of them are candidates. */
const copies = 8;
/** Without vectors lines of a list agree as well ("invoice 3 was paid"), so as many as may be served, but for this many places of others. */
const othersKept = 10;

/** Docs that agree in their words, meaning and length, with how many there were so far. */
interface Copies {
  readonly own: number;
  readonly cosine: number;
  readonly length: number;
  times: number;
  /** Whose versions are among them, where that counts. */
  readonly memories: Set<number>;
}

/**
 * The docs in their order, without those that only say once more what so many before them said.
 * @param isStretch whether time is asked about in which a memory may have had several versions: each held at a time of its own, so they are no
 *   copies of each other
 */
export function withoutCopies(
  picked: readonly number[],
  { own }: KeywordScores,
  cosines: Float32Array | undefined,
  { length, memory }: Columns,
  limit: number,
  isStretch: boolean,
): number[] {
  const groups = new Map<number, Copies[]>();
  return picked.filter((doc) => {
    const cosine = cosines?.[doc] ?? Number.NaN;
    const hasVector = cosine > -2;
    const near = among(groups, hasVector ? cosine : own[doc]!);
    let same = near.find(
      (each) => each.own === own[doc] && Object.is(each.cosine, cosine) && each.length === length[doc],
    );
    if (!same) {
      same = { own: own[doc]!, cosine, length: length[doc]!, times: 0, memories: new Set() };
      near.push(same);
    }
    if (isStretch && same.memories.has(memory[doc]!)) return true;
    same.times++;
    const isKept = same.times <= (hasVector ? copies : Math.max(copies, limit - othersKept));
    if (isKept && isStretch && memory[doc]! >= 0) same.memories.add(memory[doc]!);
    return isKept;
  });
}

function among(groups: Map<number, Copies[]>, key: number): Copies[] {
  const known = groups.get(key);
  if (known) return known;
  const fresh: Copies[] = [];
  groups.set(key, fresh);
  return fresh;
}
