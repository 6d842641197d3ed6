import { momentOfBasis } from '#contract/basis.js';
import type { MemoryItem } from '#contract/memory-item.js';
import { sinceWhen } from '../../words/since-when.js';
import { indented, shownContent, shownTime } from './shown.js';

/**
 * A memory in a few lines: what it says, what it replaced, then since when, from whom and where to find it.
 * @param basis of the answer: how long ago something was counts from its moment
 */
export function renderItem(item: MemoryItem, lead: string, basis?: string): string {
  const by = ' '.repeat(lead.length);
  const at = basis === undefined ? undefined : momentOfBasis(basis);
  const since = at === undefined ? undefined : sinceWhen(item, Date.parse(at), short);
  const lines = [indented(shownContent(item.content), by), ...(since ? [since] : []), facts(item).join(' · ')];
  return `${lead}${lines.join(`\n${by}`)}`;
}

function facts(item: MemoryItem): string[] {
  const { source } = item;
  const writer = source.agent ? `${source.principal} with ${short(source.agent)}` : source.principal;
  return [
    ...(item.status === 'current' ? [] : [item.status.toUpperCase()]),
    when(item),
    `${source.origin === 'import' ? 'imported' : 'written'} by ${writer}`,
    ...(item.key ? [`key ${short(item.key)}`] : []),
    ...(item.tags.length > 0 ? [short(item.tags.map((tag) => `#${tag}`).join(' '))] : []),
    ...(item.version > 1 ? [`version ${item.version}`] : []),
    ...(item.score === undefined ? [] : [`score ${item.score.toFixed(2)}`]),
    ...(item.explain?.matched?.length ? [`matched ${short(item.explain.matched.join(', '))}`] : []),
    `id ${item.id}`,
    ...(item.also?.length ? [`says the same as ${item.also.join(', ')}`] : []),
  ];
}

/** A name that somebody chose, on one line. */
function short(name: string): string {
  return shownContent(name, 300).replace(/\s+/g, ' ');
}

/** Of what happened, when it did; what holds to an end shows its span as well, whatever it is: other versions may hold beside it. */
function when({ kind, occurred_at, valid_from, valid_to }: MemoryItem): string {
  const happened = kind === 'episodic' || kind === 'working' ? shownTime(occurred_at ?? valid_from) : undefined;
  if (valid_to === undefined) return happened ?? `true since ${shownTime(valid_from)}`;
  const span = `true from ${shownTime(valid_from)} to ${shownTime(valid_to)}`;
  return happened === undefined ? span : `${happened} · ${span}`;
}
