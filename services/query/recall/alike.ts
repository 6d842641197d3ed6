import type { VersionContent } from '#events/version-fields.js';
import { contentText } from '#understanding/documents/content-text.js';
import { analyseDocument } from '#understanding/terms/analyse-document.js';

/** What two texts are held against each other by. */
export interface Likeness {
  readonly terms: ReadonlySet<string>;
  /** Terms with a digit in them: texts that differ there say different things. */
  readonly numbers: string;
  readonly key: string | undefined;
}

/** Share of all their terms that two texts have in common when they say the same (Jaccard). */
const same = 0.9;
const digit = /\p{N}/u;

export function likenessOf({ content, key }: VersionContent): Likeness {
  const { counts } = analyseDocument(contentText(content));
  const terms = new Set(counts.keys());
  return {
    terms,
    numbers: [...terms]
      .filter((term) => digit.test(term))
      .sort()
      .join(' '),
    key,
  };
}

/** Whether two texts say the same in nearly the same words. Memories with different keys never do: each fills a slot of its own. */
export function isAlike(one: Likeness, other: Likeness): boolean {
  if (one.key !== other.key || one.numbers !== other.numbers || one.terms.size === 0) return false;
  const [small, large] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  if (small.terms.size < large.terms.size * same) return false;
  let shared = 0;
  for (const term of small.terms) if (large.terms.has(term)) shared++;
  return shared >= same * (one.terms.size + other.terms.size - shared);
}
