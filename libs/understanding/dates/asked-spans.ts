import { anchorOf, isoOf } from './calendar.js';
import type { AskedSpan } from './dated.js';
import { type Found, findDates } from './dates-of.js';

const upTo = /\b(?:before|prior to|up to|earlier than|preceding)(?: the)? $/i;
const until = /\b(?:until|till|by|through|up until)(?: the end of)?(?: the)? $/i;
const behind = /\b(?:after|later than|following)(?: the)? $/i;
const since = /\b(?:since|starting(?: in| from| on)?|as of|from)(?: the)? $/i;
const onwards = /^,? (?:on|onwards?|forward)\b/i;
const joined = /^ ?(?:and|to|until|till|through|-|–|—|~|到|至|和|与|與|及) ?(?:the )?(?:end of )?$/i;
const opensPair = /(?:\b(?:between|from)(?: the)? |从|從|自|在|介于)$/i;
const chineseBefore = /^\s?的?(?:之前|以前|前)(?![后後面天年])/u;
const chineseAfter = /^\s?的?(?:之后|以后|之後|以後|后|後)(?![面天年])/u;
const chineseSince = /^\s?(?:以来|以來|起|开始|開始|至今|到现在)/u;

/** The times that a question asks about: `before March` is open behind, `since 2022` before; `between … and …` is one span. */
export function askedSpans(question: string, options: { readonly now: string }): AskedSpan[] {
  const anchor = anchorOf(options.now);
  if (!anchor) return [];
  const found = findDates(question, anchor);
  const spans: AskedSpan[] = [];
  for (let index = 0; index < found.length; index++) {
    const one = found[index]!;
    const other = found[index + 1];
    const before = question.slice(Math.max(0, one.at - 32), one.at);
    if (other && joined.test(question.slice(one.end, other.at)) && isPair(question, before, one, other)) {
      const [first, last] = inOrder(one, other);
      spans.push({
        from: isoOf(anchor, first.from),
        to: isoOf(anchor, last.to),
        grain: last.grain,
        exact: one.exact && other.exact,
        words: [one.at, other.end],
      });
      index++;
      continue;
    }
    const side = sideOf(before, question.slice(one.end, one.end + 12));
    const base = { grain: one.grain, exact: one.exact, words: [one.at, one.end] as const };
    const [from, to] = [isoOf(anchor, one.from), isoOf(anchor, one.to)];
    if (side === 'before') spans.push({ ...base, to: from });
    else if (side === 'until') spans.push({ ...base, to });
    else if (side === 'after') spans.push({ ...base, from: to });
    else if (side === 'since') spans.push({ ...base, from });
    else spans.push({ ...base, from, to });
  }
  return spans;
}

/** `between May and June`, 三月到五月; `May and June` without an opening are two. */
function isPair(question: string, before: string, one: Found, other: Found): boolean {
  return opensPair.test(before) || !/and|和|与|與|及/i.test(question.slice(one.end, other.at));
}

/** `between March and May`: a last May may lie before a last March, then it is the one after. */
function inOrder(one: Found, other: Found): readonly [Found, Found] {
  if (other.to > one.from) return [one, other];
  if (one.exact || one.grain === 'day') return [other, one];
  const back = new Date(one.from);
  const from = back.setUTCFullYear(back.getUTCFullYear() - 1);
  return [{ ...one, from }, other];
}

type Side = 'before' | 'until' | 'after' | 'since' | undefined;

function sideOf(before: string, after: string): Side {
  if (chineseBefore.test(after)) return 'before';
  if (chineseAfter.test(after)) return 'after';
  if (chineseSince.test(after)) return 'since';
  if (upTo.test(before)) return 'before';
  if (until.test(before)) return 'until';
  if (behind.test(before)) return 'after';
  return since.test(before) || onwards.test(after) ? 'since' : undefined;
}
