import type { StatsOutput } from '#contract/stats.js';
import { bytes, plural } from './moment.js';
import { shown } from './prose.js';

/** Figures of a bank, for a person. How recall does is left out: a server knows that of itself, and this process has served none. */
export function renderStats(of: StatsOutput, bank: string): string {
  const kinds = Object.entries(of.memories.by_kind).map(([kind, statuses]) => {
    const parts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString('en')} ${status}`);
    return `  ${kind.padEnd(11)}${parts.join(', ')}`;
  });
  const { projection } = of;
  const aside = projection.set_aside > 0 ? `, ${plural(projection.set_aside, 'event')} set aside (see doctor)` : '';
  const stores = Object.entries(of.stores).map(([file, size]) => `${file} ${bytes(size)}`);
  return [
    `${shown(bank)}: ${plural(of.memories.total, 'memory', 'memories')}`,
    ...kinds,
    `views: generation ${projection.generation}, ${plural(projection.lag_events, 'event')} behind${aside}`,
    `on disk: ${stores.join(', ')}`,
  ].join('\n');
}
