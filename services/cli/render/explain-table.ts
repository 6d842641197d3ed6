import type { ItemExplanation, MemoryItem } from '#contract/memory-item.js';
import type { SearchExplanation, SearchOutput } from '#contract/search.js';
import type { Output } from '../output.js';
import { featureWords } from './feature-words.js';
import { nothingOf } from './items.js';
import { stretch } from './moment.js';
import { oneLine, shown, wrapped } from './prose.js';

type Page = Pick<Output, 'width' | 'style'>;

/** Features that are told of an item, the weightiest first, and the least that one has to add (in the logarithm of the odds). */
const toldFeatures = 6;
const leastTold = 0.05;
/** Small, and always told: they are what stands a memory above another that fits the question better. */
const ofItself: ReadonlySet<string> = new Set(['importance', 'confidence', 'trust', 'feedback']);

/**
 * How an answer came about, as a table: how the question was taken, each item with its place by every leg and what spoke for and against it,
 * and what was left out, and why. What was not explained has no column.
 */
export function renderExplained(found: SearchOutput, page: Page): string {
  const legs = [...new Set(found.items.flatMap(({ explain }) => Object.keys(explain?.legs ?? {})))];
  const blocks = [
    asked(found.explained, page),
    found.items.length > 0 ? table(found.items, legs, page) : nothingOf(found),
    dropped(found.explained, page),
    ...(found.notes ?? []).map((note) => `Note: ${shown(note)}`),
    page.style('dim', `recall ${found.recall_id}\nbasis ${found.basis}`),
  ];
  return blocks.filter(Boolean).join('\n\n');
}

function asked(explained: SearchExplanation = {}, page: Page): string {
  const { text, cut, profile, off, form, cutoff, holds } = explained;
  return [
    ...(text === undefined ? [] : [`Searched for: ${shown(text)}`]),
    ...(cut?.length ? [`Cut as filler: ${cut.map((each) => shown(each)).join(' · ')}`] : []),
    ...(form === undefined ? [] : [`Weighed as: ${named(form)}`]),
    ...(profile === undefined || profile === 'learned' ? [] : [`Ranking: ${profile}`]),
    ...(off?.length ? [`Switched off in this bank: ${off.join(', ')}`] : []),
    ...(cutoff === undefined
      ? []
      : [wrapped(`Served from a score of: ${small(cutoff)}${cuts(explained)}`, page.width, '')]),
    ...(holds === undefined ? [] : [`Chance that anything here is an answer: ${holds.toFixed(2)}`]),
  ].join('\n');
}

function named(form: string): string {
  return form === 'hanNote' ? 'note in Chinese' : form;
}

/** What the cut follows from: two figures that a reader cannot tell from the one that was in force. */
function cuts({ form, form_cutoff, beside_best, beside_best_across }: SearchExplanation): string {
  if (form_cutoff === undefined) return '';
  const own = `${small(form_cutoff)} is the least for a ${form === undefined ? 'memory' : named(form)}`;
  if (beside_best === undefined) return ` (${own})`;
  const across =
    beside_best_across === undefined ? '' : `, ${beside_best_across.toFixed(2)} in another language than the question`;
  return ` (${own}, and beside the best one ${beside_best.toFixed(2)} of its score${across})`;
}

/** With as many digits as the cuts of forms have. */
function small(share: number): string {
  return share.toFixed(share > 0 && share < 0.1 ? 3 : 2);
}

function table(items: readonly MemoryItem[], legs: readonly string[], page: Page): string {
  const widths = legs.map((leg) => Math.max(leg.length, ...items.map(({ explain }) => place(explain, leg).length)));
  const number = String(items.length).length;
  const lead = (first: string, score: string, cells: readonly string[]) =>
    [first.padStart(number), score.padStart(5), ...cells.map((cell, at) => cell.padEnd(widths[at]!))].join('  ');
  const head = `${lead('#', 'score', legs)}  memory`;
  const room = Math.max(page.width - lead('', '', legs).length - 2, 20);
  const rows = items.map((item, at) => {
    const cells = legs.map((leg) => place(item.explain, leg));
    const first = lead(String(at + 1), item.score?.toFixed(2) ?? '', cells);
    const indent = ' '.repeat(number + 2);
    const below = details(item).map((line) => page.style('dim', wrapped(line, page.width, indent)));
    return [`${first}  ${oneLine(item.content, room)}`, ...below].join('\n');
  });
  return [page.style('bold', head), ...rows].join('\n');
}

/** Where an item stands by one leg alone; a dash where that leg did not find it. */
function place(explain: ItemExplanation | undefined, leg: string): string {
  const found = explain?.legs[leg];
  return found ? `${found.rank}. (${found.score.toFixed(3)})` : '–';
}

/** What stands below an item, from what mattered most to what names it. */
function details({ id, version, status, valid_from, valid_to, explain, also, replaced }: MemoryItem): string[] {
  const why = [...(explain?.why ?? [])].map((each) => shown(each));
  return [
    ...weighed(explain?.features ?? {}),
    ...(explain?.matched?.length
      ? [`words that it holds: ${explain.matched.map((word) => shown(word)).join(', ')}`]
      : []),
    ...why,
    ...(replaced?.length ? [`took the place of version ${replaced.map((each) => each.version).join(', ')}`] : []),
    ...(also?.length
      ? [`stands for ${also.join(', ')} as well, which ${also.length > 1 ? 'say' : 'says'} the same`]
      : []),
    [
      ...(status === 'current' ? [] : [status]),
      // What holds no more, or to an end, held at a time of its own.
      ...(status === 'current' && valid_to === undefined ? [] : [`true ${stretch(valid_from, valid_to)}`]),
      `id ${id}, version ${version}`,
    ].join(' · '),
  ];
}

/** What spoke for it and what against it, by what each added; the small rest together. */
function weighed(features: NonNullable<ItemExplanation['features']>): string[] {
  const added = Object.entries(features)
    .map(([name, { value, weight }]) => ({ name, sum: value * weight }))
    .sort((one, other) => Math.abs(other.sum) - Math.abs(one.sum) || (one.name < other.name ? -1 : 1));
  const told = added.filter(
    ({ name, sum }, at) => (at < toldFeatures || ofItself.has(name)) && Math.abs(sum) >= leastTold,
  );
  const rest = added.filter((each) => !told.includes(each)).reduce((total, { sum }) => total + sum, 0);
  const side = (label: string, each: typeof told) =>
    each.length === 0
      ? []
      : [`${label}: ${each.map(({ name, sum }) => `${featureWords(name)} ${signed(sum)}`).join(', ')}`];
  return [
    ...side(
      'for',
      told.filter(({ sum }) => sum > 0),
    ),
    ...side(
      'against',
      told.filter(({ sum }) => sum < 0),
    ),
    ...(told.length > 0 && Math.abs(rest) >= leastTold ? [`all else: ${signed(rest)}`] : []),
  ];
}

function signed(sum: number): string {
  return `${sum < 0 ? '−' : '+'}${Math.abs(sum).toFixed(2)}`;
}

function dropped({ dropped: left = [] }: SearchExplanation = {}, page: Page): string {
  if (left.length === 0) return '';
  const rows = left.map(({ id, version, score, why }) => {
    const lead = `${score.toFixed(2).padStart(6)}  ${id}, version ${version}  `;
    return `${lead}${oneLine(why, Math.max(page.width - lead.length, 20))}`;
  });
  return [page.style('bold', 'Left out:'), ...rows].join('\n');
}
