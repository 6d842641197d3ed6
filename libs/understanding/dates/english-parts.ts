import type { LocalSpan } from './calendar.js';

/** A year of four digits that is one, within a pattern. */
export const yearWords = String.raw`(?:1[5-9]|20|21)\d\d`;

/** The part of a month that `early`, `mid` and `late` name. */
export function partOf(span: LocalSpan, part: string | undefined): LocalSpan {
  if (!part) return span;
  const third = Math.round((span.to - span.from) / 3 / 86_400_000) * 86_400_000;
  const which = /^(?:early|begin|start)/i.test(part) ? 0 : /^mid/i.test(part) ? 1 : 2;
  const from = span.from + which * third;
  return { from, to: which === 2 ? span.to : from + third, grain: span.grain, exact: false };
}

/** `early`, `the end of`, as a group of a pattern. */
export const partWords = '(?:(early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[ -](?:in )?)?';
