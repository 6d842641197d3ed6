import { docFlags } from '#views/doc-flags.js';
import type { Columns } from '../../bank-index/columns.js';
import type { Visibility } from '../../bank-index/visibility.js';
import { averageLengths } from '../legs/keyword-scores.js';
import { recipe } from '../recipe.js';

/**
 * What kind of text a memory is: a turn of a conversation, a long message of one, a note that somebody took in a session, a fact that stands
 * alone, a passage that does. Weights that were learned on one form ruin another (LoCoMo's on BEAM: R@5 .278 against .482). Notes in Chinese are a
 * form of their own, since in them a term is two characters of any word: TimeQA's right paragraph stands first in .257 by what English notes teach
 * and in .149 by what suits KdConv (docs/decisions/0024).
 */
export const forms = ['turn', 'message', 'note', 'hanNote', 'fact', 'passage'] as const;
export type Form = (typeof forms)[number];

/**
 * The form of each doc: whether somebody says it in a session, and how long the texts of its bank are on average. A short text among long ones
 * is one of them: taken for a turn, it would win over them by its shortness. What nobody says, an agent has written down.
 */
export function formOf(columns: Columns, basis: Visibility): (doc: number) => Form {
  const { shortTo, longFrom } = recipe.bm25;
  const isLong = averageLengths(columns, basis).own > (shortTo + longFrom) / 2;
  return (doc) => {
    if (columns.session[doc]! < 0) return isLong ? 'passage' : 'fact';
    if (isLong) return 'message';
    if (columns.speaker[doc]! > 0) return 'turn';
    return columns.flags[doc]! & docFlags.han ? 'hanNote' : 'note';
  };
}
