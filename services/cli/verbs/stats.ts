import type { StatsOutput } from '#contract/stats.js';
import { bytes, plural } from '../render/moment.js';
import { verb } from '../verb.js';

export const stats = () =>
  verb('stats', 'what the bank holds, and how recall does', async (run) => {
    const { query, caller } = await run.open();
    run.out.answer(await query.stats(caller('stats')), render);
  });

function render(of: StatsOutput): string {
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
    `${of.bank}: ${plural(of.memories.total, 'memory', 'memories')}`,
    ...kinds,
    served,
    `views: generation ${projection.generation}, ${plural(projection.lag_events, 'event')} behind${aside}`,
    `on disk: ${stores.join(', ')}`,
  ].join('\n');
}
