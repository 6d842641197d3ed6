import type { Caller } from '#contract/caller.js';
import type { SearchInput, SearchOutput } from '#contract/search.js';
import type { VersionFilter } from '#views/reader.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { isStretch } from '../bank-index/held-last.js';
import { standing, type Visibility } from '../bank-index/visibility.js';
import { alteredNote, isRankingAltered } from '../basis/altered.js';
import { heldBack, heldBackSinceNote } from '../basis/held-back.js';
import { openView, type View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import type { LatencyWindow } from '../stats/latency-window.js';
import { askedFilter, askedStandings, askedValidTime, checkQuery } from './asked.js';
import { askedRanking, topKOf } from './asked-ranking.js';
import { explained } from './explained.js';
import { budgetNotes, fitBudget } from './fit-budget.js';
import { openFound } from './open-found.js';
import { textOf } from './open-version.js';
import { meritOf, meritParts } from './ranking/merit.js';
import { compared, embedded, takeQuestion, understood } from './ranking/question.js';
import { type Ranking, rank } from './ranking/rank.js';
import { type OnLeg, timed } from './ranking/timed-leg.js';
import { withoutLegs } from './ranking/without-legs.js';
import { recordServed } from './record-served.js';

/** Ranked beyond what was asked for: what says the same stands together in the answer, and makes room. */
const reserve = 20;

/** Answers a question: the versions that are relevant to it, best first, as of its basis. */
export async function search(
  deps: QueryDeps,
  indexes: BankIndexes,
  latencies: LatencyWindow,
  input: SearchInput,
  caller: Caller,
): Promise<SearchOutput> {
  const started = performance.now();
  checkQuery(input.query);
  const standings = askedStandings(input.include, caller);
  const opened = await openView(deps, indexes, input, caller, { vectors: true });
  const question = understood(input.query, opened);
  const { view, vector } = await embedded(question, opened, deps.embedder);
  const validTime = askedValidTime(input, view.point.at);
  const at = view.index.visibility({ seq: view.seq, ...validTime });
  const filter = askedFilter(input, view.keys);
  const { inForce } = view;
  const find = async (): Promise<Ranking> => {
    const mask = eligible(at, standings, await filtered(filter, view));
    const lookedUp = await takeQuestion(input.query, question, view);
    const onLeg: OnLeg | undefined = deps.meters && ((leg, seconds) => deps.meters?.recalled(leg, seconds));
    const near =
      vector && view.vectors
        ? timed('vector', onLeg, () => compared(lookedUp, view, vector))
        : compared(lookedUp, view, vector);
    const taken = withoutLegs(near, inForce.off);
    const began = performance.now();
    const scope = {
      columns: view.index.columns,
      basis: view.visibility,
      current: at.isCurrent,
      eligible: mask,
      isStretch: isStretch(at),
      found: view.index.findings.at(view.seq),
    };
    const ranking = rank(taken, scope, {
      profile: inForce.profile,
      weights: inForce.weights,
      merit: meritOf(view),
      meritParts: meritParts(view),
      least: input.min_score,
      limit: topKOf(input) + reserve,
      explain: input.explain ?? false,
      onLeg,
    });
    deps.meters?.recalled('ranking', (performance.now() - began) / 1000);
    return ranking;
  };
  const asked = askedRanking(input, { view, at, standings, filter, dates: question.dates });
  const ranking = await (deps.answers?.answer(caller.bank, asked, find) ?? find());
  const held = heldBack(view, caller);
  const { found, isWithheld } = await openFound(deps, { view, at, held }, ranking.ranked, topKOf(input));
  const fitted = fitBudget(
    found,
    ({ item }) => ({ text: textOf(item.content), score: item.score ?? 0 }),
    input.token_budget,
  );
  const { fitting } = fitted;
  const altered = await isRankingAltered(view, at, standings);
  const notes = [
    ...view.notes,
    ...(view.vectorNote === undefined ? [] : [view.vectorNote]),
    ...(inForce.note === undefined ? [] : [inForce.note]),
    ...(altered ? [alteredNote] : []),
    ...(isWithheld ? [heldBackSinceNote] : []),
    ...budgetNotes(fitted, input.token_budget, ({ item }) => item.id),
  ];
  const recallId = deps.sources.uuid();
  const tookMs = performance.now() - started;
  latencies.add(caller.bank, tookMs, fitting.length > 0);
  deps.meters?.recalled('all', tookMs / 1000);
  await recordServed(deps, caller, { input, view, recallId, tookMs, validTime, found: fitting });
  return {
    items: fitting.map(({ item }) => item),
    basis: view.basis,
    recall_id: recallId,
    ...(altered ? { altered_by_erasure: true } : {}),
    ...(isWithheld ? { altered_by_quarantine: true } : {}),
    ...(notes.length ? { notes } : {}),
    ...(input.explain ? { explained: await explained(question, ranking, view) } : {}),
  };
}

async function filtered(filter: VersionFilter | undefined, view: View): Promise<readonly number[] | undefined> {
  return filter && view.reader.docsWhere(view.bank, filter);
}

/** 1 for each doc that stands as asked and passes the filter. */
export function eligible(
  at: Visibility,
  standings: ReadonlySet<number>,
  docs: readonly number[] | undefined,
): Uint8Array {
  if (!docs && standings.size === 1 && standings.has(standing.current)) return at.isCurrent;
  const mask = new Uint8Array(at.standing.length);
  if (docs) for (const doc of docs) mask[doc] = standings.has(at.standing[doc] ?? -1) ? 1 : 0;
  else for (let doc = 0; doc < mask.length; doc++) mask[doc] = standings.has(at.standing[doc]!) ? 1 : 0;
  return mask;
}
