import type { HistoryOutput } from '#contract/history.js';
import { counted, indented, shownContent, shownTime } from './shown.js';

type Entry = HistoryOutput['entries'][number];

export function renderHistory({ memory_id, key, status, entries, next, notes = [] }: HistoryOutput): string {
  const versions = entries.filter(({ event }) => event === 'recorded' || event === 'revised').length;
  const name = key ? `${shownContent(key, 300)} (id ${memory_id})` : memory_id;
  const remarks = notes.map((note) => `Note: ${note}`);
  return [
    `${name}: ${status ?? 'not known yet'}, ${counted(versions, 'version')}${next ? ' here, and earlier ones: give cursor' : ''}.`,
    ...(next ? [`cursor: ${next}`] : []),
    ...entries.map(entry),
    ...remarks,
  ].join('\n');
}

function entry(entry: Entry): string {
  const { event, version, outcome, content, origin, who, why, valid, changed } = entry;
  const source = origin ? [`(origin: ${origin})`] : [];
  const by = [who.principal, ...(who.agent ? [`with ${who.agent}`] : []), ...source].join(' ');
  const did = outcome ? `${event} ${outcome}` : event;
  const what = version === undefined ? did : `${did} (version ${version})`;
  if (event === 'served') return `${shownTime(entry.recorded_at)} ${what} to ${by}, score ${entry.score!.toFixed(2)}`;
  const lines = [`${shownTime(entry.recorded_at)} ${what} by ${by}`];
  if (content !== undefined) lines.push(indented(shownContent(content), '  '));
  const stretches = (valid ?? []).map(
    ({ from, to }) => `from ${shownTime(from)}${to ? ` to ${shownTime(to)}` : ' on'}`,
  );
  if (stretches.length > 0) lines.push(`true ${stretches.join(', and ')}`);
  else if (valid) lines.push('no longer true at any time');
  if (changed && changed.length > 0) lines.push(`changed: ${changed.join(', ')}`);
  if (why) lines.push(`why: ${indented(shownContent(why, 500), '  ')}`);
  return lines.join('\n  ');
}
