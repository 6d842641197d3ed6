import type { StatsOutput } from '#contract/stats.js';
import { bytes, plural } from './moment.js';
import { shown } from './prose.js';

/** Figures of a bank, for a person. */
export function renderStats(of: StatsOutput, bank: string): string {
  const kinds = Object.entries(of.memories.by_kind).map(([kind, statuses]) => {
    const parts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString('en')} ${status}`);
    return `  ${kind.padEnd(11)}${parts.join(', ')}`;
  });
  const { recall, projection } = of;
  const hits = recall.hit_rate === null ? 'none yet' : `${Math.round(recall.hit_rate * 100)}% found something`;
  const served =
    recall.count === 0
      ? 'no recall yet'
      : `${plural(recall.count, 'recall')}: ${hits}; p50 ${recall.p50_ms} ms, p95 ${recall.p95_ms} ms, p99 ${recall.p99_ms} ms`;
  const aside = projection.set_aside > 0 ? `, ${plural(projection.set_aside, 'event')} set aside (see doctor)` : '';
  const stores = Object.entries(of.stores).map(([file, size]) => `${file} ${bytes(size)}`);
  return [
    `${shown(bank)}: ${plural(of.memories.total, 'memory', 'memories')}`,
    ...kinds,
    served,
    `views: generation ${projection.generation}, ${plural(projection.lag_events, 'event')} behind${aside}`,
    `on disk: ${stores.join(', ')}`,
  ].join('\n');
}
