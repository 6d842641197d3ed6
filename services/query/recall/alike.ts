import type { VersionContent } from '#events/version-fields.js';
import { contentText } from '#understanding/documents/content-text.js';
import { analyseDocument } from '#understanding/terms/analyse-document.js';

/** What two texts are held against each other by. */
export interface Likeness {
  /** In the order in which the text has them. */
  readonly terms: ReadonlySet<string>;
  /** Terms with a digit in them: texts that differ there say different things. */
  readonly numbers: string;
  /** How often it says no: no term does, and a text that says so once more says the opposite. */
  readonly denials: number;
  readonly key: string | undefined;
}

/** Share of all their terms that two texts have in common when they say the same (Jaccard). */
const same = 0.9;
const digit = /\p{N}/u;
const denial = /\b(?:no|not|nor|none|never|neither|without|cannot)\b|n['’]t\b|[不没沒未无無非别別勿莫]/giu;

export function likenessOf({ content, key }: VersionContent): Likeness {
  const text = contentText(content);
  const { counts } = analyseDocument(text);
  const terms = new Set(counts.keys());
  return {
    terms,
    numbers: [...terms]
      .filter((term) => digit.test(term))
      .sort()
      .join(' '),
    denials: text.match(denial)?.length ?? 0,
    key,
  };
}

/** Whether two texts say the same in nearly the same words. Memories with different keys never do: each fills a slot of its own. */
export function isAlike(one: Likeness, other: Likeness): boolean {
  return one.denials === other.denials && haveSameWords(one, other);
}

/** Whether one of two texts says no to what the other says in nearly the same words. */
export function isDenied(one: Likeness, other: Likeness): boolean {
  return one.denials !== other.denials && haveSameWords(one, other);
}

/** In the same order, since who manages whom, and what was replaced by what, is told by nothing else. */
function haveSameWords(one: Likeness, other: Likeness): boolean {
  if (one.key !== other.key || one.numbers !== other.numbers || one.terms.size === 0) return false;
  const [small, large] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  if (small.terms.size < large.terms.size * same) return false;
  const shared = [...small.terms].filter((term) => large.terms.has(term));
  if (shared.length < same * (one.terms.size + other.terms.size - shared.length)) return false;
  let next = 0;
  for (const term of large.terms) if (term === shared[next]) next++;
  return next === shared.length;
}
