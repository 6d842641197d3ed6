import type { StatsOutput } from '#contract/stats.js';
import type { View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';

/** Milliseconds that the bound on tokens is about. */
const day = 24 * 3_600_000;

/** How much of a bank a language model has read, and what that took: from the record, whoever asked it. */
export async function readingProgress(
  { enrichment, sources }: Pick<QueryDeps, 'enrichment' | 'sources'>,
  { bank, reader, index, visibility, seq }: Pick<View, 'bank' | 'reader' | 'index' | 'visibility' | 'seq'>,
): Promise<StatsOutput['enrichment']> {
  const found = index.findings.at(seq);
  if (!found && !enrichment) return undefined;
  let done = 0;
  for (let doc = 0; doc < visibility.isCurrent.length; doc++)
    if (visibility.isCurrent[doc] === 1 && found?.isRead(doc)) done++;
  const since = sources.now() - day;
  let [today, all] = [0, 0];
  for (const { at, tokensRead, tokensWritten } of found ? await reader.findingsAfter(bank, 0) : []) {
    all += tokensRead + tokensWritten;
    if (Date.parse(at) > since) today += tokensRead + tokensWritten;
  }
  return {
    ...(enrichment ? { model: enrichment.model, tokens_per_day: enrichment.tokensPerDay } : {}),
    done,
    of: visibility.count,
    tokens_today: today,
    tokens: all,
  };
}
