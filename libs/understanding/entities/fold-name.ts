import { compatible, folded } from '../terms/fold.js';

const marked = /[’ʼ＇]/g;
const spaces = /[\s\u3000]+/g;

/**
 * How equal names are matched: NFKC (so width does not count), lower case, no Latin diacritics, one space between words.
 * Folding twice changes nothing. It knows no synonyms: whether Bob is Robert only a text can say.
 */
export function foldName(name: string): string {
  const once = foldOnce(name);
  // Lower case may bring back what NFKC takes apart (the dotted capital I of Turkish): the second round settles it.
  return simple.test(once) ? once : foldOnce(foldOnce(once));
}

const simple = /^[\0-\x7f\u3400-\u9fff]*$/;

function foldOnce(name: string): string {
  return folded(compatible(name)).replace(marked, "'").replace(spaces, ' ').trim();
}
