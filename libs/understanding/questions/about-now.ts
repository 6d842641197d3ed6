import type { Wanted } from './asked.js';

const pastTense = /\b(?:did|was|were|had)\b/;
/** Spans and distances between two things are no state of one. */
const span =
  /\bbetween\b|\bsince\b|\bafter\b|\bfrom\b.{1,80}\b(?:to|until|till)\b|\bhow long\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b|从.{1,40}到|之间|之間|以来|以來|之后|之後|多久|[几幾多少](?:天|个月|個月|年|小时|小時|分钟|分鐘|周|星期)/u;
/** Who asks for one thing begins with the question word; who asks for advice or an account says something before it. */
const opening = /^\W*(?:(?:by|on|in|at|for|to|from|until) )?(?:what|when|where|who|whose|which|how)\b|\p{Script=Han}/u;
/** Several things are asked for, or are to be counted: an earlier one counts as much as a later one. */
const several =
  /^\W*(?:what|which) (?:are|were|\w*[^aius\W]s)\b|\b(?:different|various|across|altogether|overall|in total|mention(?:ed)?|each|list|suggest|recommend)\b|哪些|分别|分別|一共|总共|總共|建议|建議|推荐|推薦/u;
const ofState: ReadonlySet<Wanted | undefined> = new Set(['value', 'count', 'when', 'where', 'who']);

/**
 * Whether a question asks how one thing stands: a value, a number, a date, a place, whoever has it, none of it as it once was. How many
 * there were of something (`how many did we order`) counts, since it is a value that may have been said anew.
 */
export function isAboutNow(question: string, wanted: Wanted | undefined, past: boolean): boolean {
  if (past || !ofState.has(wanted)) return false;
  const text = question.slice(0, 600).toLowerCase();
  if (!opening.test(text) || span.test(text) || several.test(text)) return false;
  return wanted === 'count' || !pastTense.test(text);
}
