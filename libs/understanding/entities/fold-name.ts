import { compatible, folded } from '../terms/fold.js';

const marked = /[’ʼ＇]/g;
const spaces = /[\s\u3000]+/g;
/** NFKC leaves these as they are; so does lower case, but for A to Z. */
const simple = /^[\x21-\x7f\u3400-\u4dbf\u4e00-\u9fff]+(?: [\x21-\x7f\u3400-\u4dbf\u4e00-\u9fff]+)*$/;

/**
 * How equal names are matched: NFKC (so width does not count), lower case, no Latin diacritics, one space between words.
 * Folding twice changes nothing. It knows no synonyms: whether Bob is Robert only a text can say.
 */
export function foldName(name: string): string {
  if (simple.test(name)) return name.toLowerCase();
  let once = foldOnce(name);
  // Lower case and marks may leave what NFKC joins anew; a few rounds settle it.
  for (let round = 0; round < 4; round++) {
    const again = foldOnce(once);
    if (again === once) break;
    once = again;
  }
  return once;
}

function foldOnce(name: string): string {
  return folded(compatible(name)).replace(marked, "'").replace(spaces, ' ').trim();
}
