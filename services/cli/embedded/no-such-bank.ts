import { HindsightError } from '#contract/errors.js';
import { nearest } from '#contract/input/nearest.js';
import { counted } from '#query/mcp/render/shown.js';

/** Banks that are named; a home may hold one per user. */
const mostNamed = 10;

/** The error for a bank that nobody made, with those that there are. */
export function noSuchBank(name: string, banks: readonly { readonly name: string }[]): HindsightError {
  const names = banks.map((bank) => bank.name);
  const meant = nearest(name, names);
  const more = names.length > mostNamed ? `, and ${counted(names.length - mostNamed, 'more', 'more')}` : '';
  const there =
    names.length === 0 ? 'there is none yet' : `there are ${names.slice(0, mostNamed).map(quoted).join(', ')}${more}`;
  const guess = meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`;
  return new HindsightError('bank_not_found', `There is no bank ${quoted(name)}; ${there}.${guess}`, { bank: name });
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
