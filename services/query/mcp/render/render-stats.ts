import type { StatsOutput } from '#contract/stats.js';
import { counted, grouped, shownContent, size } from './shown.js';

export function renderStats(stats: StatsOutput): string {
  return `${renderStored(stats)}\n${recalls(stats.recall)}`;
}

/** What is stored and how far the views are: all but how recall does, which only a server knows of itself. */
export function renderStored({
  bank,
  memories,
  projection,
  vectors,
  enrichment,
  stores,
  notes = [],
}: StatsOutput): string {
  const lines = [`Bank ${shownContent(bank)}: ${counted(memories.total, 'memory', 'memories')}.`];
  for (const [kind, byStatus] of Object.entries(memories.by_kind)) {
    const counts = Object.entries(byStatus).filter(([, count]) => count > 0);
    if (counts.length > 0)
      lines.push(`- ${kind}: ${counts.map(([status, count]) => `${grouped(count)} ${status}`).join(', ')}`);
  }
  const behind = projection.lag_events === 0 ? 'up to date' : `${counted(projection.lag_events, 'event')} behind`;
  const aside =
    projection.set_aside === 0
      ? ''
      : `, ${counted(projection.set_aside, 'event')} set aside (see \`hindsight-ledger doctor\`)`;
  lines.push(`Views: ${behind}${aside}.`);
  if (vectors) lines.push(embedded(vectors));
  if (enrichment) lines.push(read(enrichment));
  const sizes = Object.entries(stores).map(([name, bytes]) => `${name} ${size(bytes)}`);
  if (sizes.length > 0) lines.push(`Stores: ${sizes.join(', ')}.`);
  lines.push(...notes.map((note) => `Note: ${note}`));
  return lines.join('\n');
}

function embedded({ model, state, done, of }: NonNullable<StatsOutput['vectors']>): string {
  const progress = done < of ? `${grouped(done)} of ${counted(of, 'version')}` : counted(of, 'version');
  const why = state === 'failed' ? ', which is not to be had: keywords answer' : '';
  return `Embedded: ${progress}, by ${model}${why}.`;
}

function read({
  model,
  done,
  of,
  tokens_today: today,
  tokens_per_day: bound,
}: NonNullable<StatsOutput['enrichment']>): string {
  const by = model === undefined ? 'a language model' : shownContent(model);
  const within = bound ? ` of ${grouped(bound)}` : '';
  return `Read by ${by}: ${grouped(done)} of ${counted(of, 'memory', 'memories')}; ${grouped(today)}${within} tokens in the last 24 hours.`;
}

function recalls({ count, p50_ms, p95_ms, hit_rate }: StatsOutput['recall']): string {
  if (count === 0) return 'Recall: none yet since this server started.';
  const hits = hit_rate === null ? '' : `, ${Math.round(hit_rate * 100)}% found something`;
  return `Recall since this server started: ${counted(count, 'time')}, half within ${p50_ms.toFixed(1)} ms, 95% within ${p95_ms.toFixed(1)} ms${hits}.`;
}
