import { momentOfBasis } from '#contract/basis.js';
import type { HistoryOutput } from '#contract/history.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { SearchOutput } from '#contract/search.js';
import { isBudgetNote } from '#query/recall/fit-budget.js';
import type { Language } from '#query/words/language.js';
import { sinceWhen } from '#query/words/since-when.js';
import type { Output } from '../output.js';
import { itemWords } from './item-words.js';
import { moment, stretch } from './moment.js';
import { oneLine, shown, wrapped } from './prose.js';

type Page = Pick<Output, 'width' | 'style'>;

export function renderSearch(found: SearchOutput, out: Page): string {
  const items = found.items.map((item, index) => renderItem(item, out, `${index + 1}. `, found.basis));
  if (items.length === 0) items.push(nothingOf(found));
  return [
    ...items,
    ...(found.notes ?? []).map((note) => `Note: ${note}`),
    out.style('dim', `recall ${found.recall_id}\nbasis ${found.basis}`),
  ].join('\n\n');
}

/** What an empty answer says: that nothing is there, or that nothing of it fits. */
export function nothingOf({ notes = [] }: SearchOutput): string {
  return notes.some(isBudgetNote) ? 'Nothing that fits token_budget.' : 'Nothing that is relevant.';
}

/** @param language of what is said of the item: the text itself is what it is */
export function renderItem(item: MemoryItem, out: Page, lead = '', basis?: string, language: Language = 'en'): string {
  const say = itemWords[language];
  const indent = ' '.repeat(lead.length);
  const text = wrapped(item.content, out.width, indent).slice(lead.length);
  const facts = [
    item.status === 'current' ? undefined : say.status(item.status),
    say.kind(item.kind),
    item.key && say.key(shown(item.key)),
    say.valid(item.valid_from, item.valid_to),
    say.recorded(item.recorded_at, shown(item.source.principal), item.source.external_id !== undefined),
    item.tags.length > 0 ? item.tags.map((tag) => `#${shown(tag)}`).join(' ') : undefined,
    item.score === undefined ? undefined : say.score(item.score.toFixed(2)),
  ];
  const at = basis === undefined ? undefined : momentOfBasis(basis);
  const since = at === undefined ? undefined : sinceWhen(item, Date.parse(at), (text) => oneLine(text, out.width));
  const lines = [
    ...(since ? [since] : []),
    facts.filter(Boolean).join(' · '),
    say.version(item.id, item.version),
    ...(item.also?.length ? [say.also(item.also.join(', '))] : []),
  ];
  return [`${out.style('bold', lead)}${text}`, ...lines.map((line) => indent + out.style('dim', line))].join('\n');
}

/** @param ofTime whether only what held at some time was asked for */
export function renderHistory(history: HistoryOutput, out: Output, ofTime = false): string {
  const head = `${history.key ? `${shown(history.key)} · ` : ''}${history.memory_id} · ${history.status ?? 'not known yet'}`;
  const entries = history.entries.map((entry) => {
    const event = entry.outcome ? `${entry.event} ${entry.outcome}` : entry.event;
    const version = entry.version === undefined ? '' : `, version ${entry.version}`;
    const who = [entry.who.principal, ...(entry.who.agent ? [`with ${entry.who.agent}`] : [])].map(shown).join(' ');
    if (entry.event === 'served')
      return `${moment(entry.recorded_at)}  served${version}  to ${who}, score ${entry.score!.toFixed(2)}`;
    const lines = [
      `${out.style('bold', `${moment(entry.recorded_at)}  ${event}${version}`)}  by ${who}`,
      entry.content === undefined ? undefined : wrapped(entry.content, out.width, '    '),
      entry.why && `    because: ${shown(entry.why)}`,
      entry.changed?.length ? `    changed: ${entry.changed.join(', ')}` : undefined,
      entry.valid?.length
        ? `    true ${entry.valid.map(({ from, to }) => stretch(from, to)).join('; ')}`
        : entry.status === 'superseded'
          ? '    true at no time any more'
          : undefined,
      `    believed ${stretch(entry.system_from, entry.system_to)}`,
    ];
    return lines.filter((line) => line !== undefined && line !== '').join('\n');
  });
  if (entries.length === 0)
    entries.push(
      ofTime
        ? 'No version was ever said to hold then: without --valid-at and --valid-during all of them are shown.'
        : 'Nothing of it was on record then.',
    );
  return [head, ...entries].join('\n\n');
}
