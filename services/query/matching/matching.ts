import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { ForgetFilter } from '#contract/forget.js';
import type { Among, Match } from '#contract/query-port.js';
import { analyseQuestion } from '#understanding/terms/analyse-question.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import type { Columns } from '../bank-index/columns.js';
import { standing } from '../bank-index/visibility.js';
import { insistOnAll, openView, type View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { askedFilter, checkQuery } from '../recall/asked.js';
import { occursIn } from '../recall/legs/occurs-in.js';
import { contentOf, openVersion } from '../recall/open-version.js';
import { preview } from '../recall/preview.js';
import { readTerms } from '../recall/ranking/read-terms.js';
import { eligible } from '../recall/search.js';
import { versionsOf } from '../recall/versions-of.js';

/** Versions opened at a time. */
const openedAtOnce = 200;

const standings: Readonly<Record<Among, readonly number[]>> = {
  current: [standing.current],
  'retracted too': [standing.current, standing.retracted],
  quarantined: [standing.quarantined],
  everything: [
    standing.closed,
    standing.future,
    standing.ended,
    standing.retracted,
    standing.current,
    standing.expired,
    standing.archived,
    standing.quarantined,
  ],
};

/**
 * The current memories that a filter means, oldest first. A query means those in which all of its content words occur: what
 * goes by it must be about all of it, not merely rank high. Among everything a memory may be named once for each version that is meant.
 * @throws HindsightError invalid_input when the query has no content word · invalid_time · views_behind
 */
export async function matching(
  deps: QueryDeps,
  indexes: BankIndexes,
  filter: ForgetFilter,
  caller: Caller,
  among: Among = 'current',
): Promise<Match[]> {
  const { query, kind, before, after, ...rest } = filter;
  if (query !== undefined) checkQuery(query, 'filter.query');
  const view = await openView(deps, indexes, {}, caller);
  insistOnAll(view);
  const range = before === undefined && after === undefined ? undefined : { from: after, to: before };
  const named = { from: 'filter.after', to: 'filter.before' };
  const asked = askedFilter({ ...rest, kinds: kind && [kind], time_range: range }, view.keys, named);
  const docs = asked && (await view.reader.docsWhere(view.bank, asked));
  const mask = eligible(view.visibility, new Set(standings[among]), docs);
  const occurs = query === undefined ? () => true : await occursAll(query, view);
  const found = [...mask.keys()].filter((doc) => mask[doc] && occurs(doc));
  const latest = latestOf(view.index.columns, found, mask.length);
  const matches: Match[] = [];
  for (let at = 0; at < found.length; at += openedAtOnce)
    matches.push(...(await open(deps, view, found.slice(at, at + openedAtOnce), latest)));
  return matches;
}

/** The number of the latest version of the memory of each doc: that may be planned, or have ended, while an older one is current. */
function latestOf(
  { memory, version }: Pick<Columns, 'memory' | 'version'>,
  docs: readonly number[],
  known: number,
): (doc: number) => number {
  const found = new Map<number, number>();
  for (const doc of docs) found.set(memory[doc]!, 0);
  for (let doc = 0; doc < known; doc++) {
    const before = found.get(memory[doc]!);
    if (before !== undefined && version[doc]! > before) found.set(memory[doc]!, version[doc]!);
  }
  return (doc) => found.get(memory[doc]!)!;
}

async function occursAll(query: string, view: View): Promise<(doc: number) => boolean> {
  const question = analyseQuestion(query);
  if (question.telling.size === 0)
    throw new HindsightError(
      'invalid_input',
      `filter.query is ${JSON.stringify(query.slice(0, 80))}, which has no content word: it would mean nothing, or everything.`,
      { parameter: 'filter.query' },
    );
  const terms = (await readTerms(question, view)).filter((term) => term.telling);
  return (doc) => terms.every(({ postings }) => occursIn(postings, doc));
}

async function open(
  deps: QueryDeps,
  view: View,
  docs: readonly number[],
  latest: (doc: number) => number,
): Promise<Match[]> {
  const rows = await versionsOf(view, docs);
  return Promise.all(
    rows.map(async (row) => {
      const content = await openVersion(deps, view.ledger, view.bank, row);
      return {
        memoryId: row.memoryId,
        version: row.version,
        latest: latest(row.doc),
        preview: content ? preview(contentOf(content)) : '',
      };
    }),
  );
}
