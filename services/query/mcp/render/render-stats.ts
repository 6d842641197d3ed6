import type { StatsOutput } from '#contract/stats.js';
import { counted } from './shown.js';

export function renderStats({ bank, memories, recall, projection, stores }: StatsOutput): string {
  const lines = [`Bank ${bank}: ${counted(memories.total, 'memory', 'memories')}.`];
  for (const [kind, byStatus] of Object.entries(memories.by_kind)) {
    const counts = Object.entries(byStatus).filter(([, count]) => count > 0);
    if (counts.length > 0) lines.push(`- ${kind}: ${counts.map(([status, count]) => `${count} ${status}`).join(', ')}`);
  }
  lines.push(recalls(recall));
  const behind = projection.lag_events === 0 ? 'up to date' : `${counted(projection.lag_events, 'event')} behind`;
  const aside = projection.set_aside === 0 ? '' : `, ${counted(projection.set_aside, 'event')} set aside`;
  lines.push(`Views: ${behind}${aside}.`);
  const sizes = Object.entries(stores).map(([name, bytes]) => `${name} ${size(bytes)}`);
  if (sizes.length > 0) lines.push(`Stores: ${sizes.join(', ')}.`);
  return lines.join('\n');
}

function recalls({ count, p50_ms, p95_ms, hit_rate }: StatsOutput['recall']): string {
  if (count === 0) return 'Recall: none yet since this server started.';
  const hits = hit_rate === null ? '' : `, ${Math.round(hit_rate * 100)}% found something`;
  return `Recall since this server started: ${counted(count, 'time')}, half within ${p50_ms.toFixed(1)} ms, 95% within ${p95_ms.toFixed(1)} ms${hits}.`;
}

function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
