import type { ExportedRecall } from '#cli/export/export-recalls.js';
import type { Opened } from '#cli/opened.js';
import type { SearchInput } from '#contract/search.js';
import type { RatingOutcome } from '#events/memory-rated.js';
import { bankIndexes } from '#query/bank-index/bank-indexes.js';
import { openView } from '#query/basis/open-view.js';
import type { QueryDeps } from '#query/query-deps.js';
import { askedFilter, askedStandings, askedValidTime } from '#query/recall/asked.js';
import { candidatesOf } from '#query/recall/ranking/candidates.js';
import { featuresOf } from '#query/recall/ranking/features.js';
import { type Form, formOf } from '#query/recall/ranking/form.js';
import { meritOf } from '#query/recall/ranking/merit.js';
import { compared, embedded, takeQuestion, understood } from '#query/recall/ranking/question.js';
import { withoutLegs } from '#query/recall/ranking/without-legs.js';
import { eligible } from '#query/recall/search.js';
import { versionsOf } from '#query/recall/versions-of.js';
import type { Rated } from './fit-own.js';

/** What weights are fitted apart for. */
export interface Kind {
  readonly form: Form;
  readonly vectors: boolean;
}

export interface LogRows {
  readonly rated: readonly (Kind & Rated)[];
  /** All that could have been answered with, by the same questions. */
  readonly candidates: readonly (Kind & { readonly features: Float64Array })[];
  /** Ratings that nothing can be learned from, by why. */
  readonly left: { readonly withoutQuestion: number; readonly notFound: number };
}

/** What helped, and what did not. */
const helpful: Readonly<Record<RatingOutcome, boolean>> = {
  success: true,
  useful: true,
  irrelevant: false,
  wrong: false,
  failure: false,
};

/**
 * Asks the questions of a recall log again, each as of when it was asked, and takes what was rated as numbers: by the features that this
 * release ranks by, since the log holds none. What nobody rated is left out.
 */
export async function ratedRows(
  home: Pick<Opened, 'ledger' | 'caller' | 'bank'>,
  deps: QueryDeps,
  recalls: readonly ExportedRecall[],
): Promise<LogRows> {
  const indexes = bankIndexes(deps.vault);
  const caller = { ...home.caller('memory_search'), bank: home.bank };
  const rated: (Kind & Rated)[] = [];
  const candidates: LogRows['candidates'][number][] = [];
  const left = { withoutQuestion: 0, notFound: 0 };
  for (const recall of recalls) {
    const said = recall.items.filter(({ rating }) => rating !== undefined);
    if (said.length === 0) continue;
    if (recall.query === undefined) {
      left.withoutQuestion += said.length;
      continue;
    }
    const asked = { ...filtersOf(recall), as_of: recall.at };
    const opened = await openView(deps, indexes, asked, caller, { vectors: true });
    const meant = understood(recall.query, opened);
    const { view, vector } = await embedded(meant, opened, deps.embedder);
    const at = view.index.visibility({ seq: view.seq, ...askedValidTime(asked, view.point.at) });
    const filter = askedFilter(asked, view.keys);
    const docs = filter && (await view.reader.docsWhere(view.bank, filter));
    const lookedUp = await takeQuestion(recall.query, meant, view);
    const taken = withoutLegs(compared(lookedUp, view, vector), view.inForce.off);
    const scope = {
      columns: view.index.columns,
      basis: view.visibility,
      current: at.isCurrent,
      eligible: eligible(at, askedStandings(asked.include, caller), docs),
      found: view.index.findings.at(view.seq),
    };
    // Numbers per doc are scratch: they are taken before anything is waited for.
    const overview = candidatesOf(taken, scope, 0);
    const told = featuresOf(taken, scope, overview);
    const [form, merit] = [formOf(scope.columns, scope.basis), meritOf(view)];
    const rows = overview.docs.map((doc, place) => ({
      form: form(doc),
      vectors: (taken.cosines?.[doc] ?? Number.NaN) > -2,
      features: told.row(place),
      merit: merit(doc),
    }));
    candidates.push(...rows);
    const versions = await versionsOf(view, overview.docs);
    for (const { memory_id, version, rating } of said) {
      const place = versions.findIndex((row) => row.memoryId === memory_id && row.version === version);
      if (place < 0) left.notFound++;
      else rated.push({ ...rows[place]!, question: recall.query.trim(), helped: helpful[rating!] });
    }
  }
  return { rated, candidates, left };
}

/** What else was asked, as the log has it. */
function filtersOf({ filters, valid_at }: ExportedRecall): Partial<SearchInput> {
  const given = filters === undefined ? {} : (JSON.parse(filters) as Partial<SearchInput>);
  return valid_at === undefined ? given : { ...given, valid_at };
}
