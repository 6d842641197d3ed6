import type { SearchInput, SearchOutput } from '#contract/search.js';
import { isBudgetNote } from '../../recall/fit-budget.js';
import { renderItem } from './render-item.js';
import { counted, shownTime } from './shown.js';

export function renderSearch({ items, basis, notes = [] }: SearchOutput, input: SearchInput): string {
  const remarks = notes.map((note) => `Note: ${note}`);
  if (items.length === 0) {
    const nothing = notes.some(isBudgetNote) ? 'Nothing fits token_budget' : 'Nothing relevant is remembered';
    return [`${nothing}${moment(input)}.`, ...remarks].join('\n');
  }
  const many = items.map((item, index) => renderItem(item, `${index + 1}. `, basis));
  return [`${counted(items.length, 'memory', 'memories')}${moment(input)}:`, ...many, ...remarks].join('\n');
}

function moment({ as_of, valid_at, basis }: SearchInput): string {
  return [
    ...(valid_at ? [`, true at ${shownTime(valid_at)}`] : []),
    ...(as_of ? [`, as known at ${shownTime(as_of)}`] : []),
    ...(basis ? [', as answered before'] : []),
  ].join('');
}
