import type { AuditOutput, AuditRow, Reading } from '#contract/audit.js';
import { shownDuration } from './duration.js';
import { renderItem } from './render-item.js';
import { counted, indented, shownContent, shownTime } from './shown.js';

export function renderAudit({ ask, rows, readings, because = [], next, notes = [] }: AuditOutput): string {
  const remarks = [
    ...notes.map((note) => `Note: ${note}`),
    ...(next ? [`More rows: call again with the same parameters and cursor: ${next}`] : []),
  ];
  if (readings) {
    const { true_now, true_then, answered_then } = readings;
    return [...[true_now, true_then, answered_then].map(renderReading), '', ...because, ...remarks].join('\n');
  }
  if (rows.length === 0) return ['Nothing is there that the question is about.', ...remarks].join('\n');
  return [`${counted(rows.length, 'row')}:`, ...rows.map((row) => `- ${rowText(ask, row)}`), ...remarks].join('\n');
}

function renderReading({ title, items, basis }: Reading): string {
  const lines = items.length > 0 ? items.map((item) => renderItem(item, '- ', basis)) : ['- nothing'];
  return [`${title}:`, ...lines].join('\n');
}

function rowText(ask: AuditOutput['ask'], row: AuditRow): string {
  switch (ask) {
    case 'shown':
      return shownRow(row);
    case 'events':
      return [row.type, `position ${row.position}`, `event ${row.event_id}`, `hash ${row.hash}`, ...whose(row)].join(
        ' · ',
      );
    case 'diff':
      return [named(row), row.change, ...difference(row), ...whose(row)].filter(Boolean).join(' · ');
    default:
      return [
        ...(row.content === undefined ? [] : [indented(shownContent(row.content, 1_000), '  ')]),
        ...(row.change ? [row.outcome ? `${row.change} ${row.outcome}` : row.change] : []),
        ...(row.status && row.status !== 'current' ? [row.status] : []),
        ...(row.valid_from
          ? [`true since ${shownTime(row.valid_from)}${row.valid_to ? ` until ${shownTime(row.valid_to)}` : ''}`]
          : []),
        ...(row.late_by === undefined ? [] : [`recorded ${shownDuration(row.late_by)} after that`]),
        ...whose(row),
        named(row),
      ].join(' · ');
  }
}

function difference({ before, after }: AuditRow): string[] {
  const said = (side: AuditRow['before']) =>
    side?.content === undefined ? undefined : shownContent(side.content, 300);
  const [was, is] = [said(before), said(after)];
  if (was !== undefined && is !== undefined && was !== is) return [`was: ${was}`, `is: ${is}`];
  return is === undefined && was === undefined ? [] : [(is ?? was)!];
}

function shownRow({ shown_at, query, shown = [], ...row }: AuditRow): string {
  const asked = query === undefined ? 'a question that is gone' : `“${shownContent(query, 300)}”`;
  const items = shown.map(({ memory_id, version, score, content, status }) => {
    const what = content === undefined ? `memory ${memory_id}` : shownContent(content, 300);
    const since = status && status !== 'current' ? `, ${status} since` : '';
    return `\n  ${what} (version ${version}, score ${score.toFixed(2)}${since})`;
  });
  return `${shownTime(shown_at!)} ${row.principal} asked ${asked}, and was shown ${counted(shown.length, 'memory', 'memories')}${items.join('')}`;
}

function whose({ recorded_at, principal, agent, why }: AuditRow): string[] {
  if (!recorded_at) return [];
  return [
    `${shownTime(recorded_at)} by ${principal}${agent ? ` with ${shownContent(agent, 100)}` : ''}`,
    ...(why ? [`why: ${indented(shownContent(why, 500), '  ')}`] : []),
  ];
}

function named({ key, memory_id, version }: AuditRow): string {
  const name = key ? `key ${shownContent(key, 200)}` : `id ${memory_id}`;
  return version ? `${name}, version ${version}` : name;
}
