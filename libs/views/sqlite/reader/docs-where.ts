import { memoryKinds } from '#events/version-fields.js';
import type { VersionFilter } from '../../reader.js';
import type { BankView } from './tables.js';

/** Doc numbers of the versions that match, ascending. Tags and subjects are looked up first, the rest is checked on what they leave. */
export function docsWhere({ bank, arrays }: BankView, filter: VersionFilter): number[] {
  const conditions: string[] = [];
  const values: (string | number | Uint8Array)[] = [];
  const add = (condition: string, ...bound: (string | number | Uint8Array)[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  for (const tag of filter.tagHashes ?? [])
    add('doc IN (SELECT doc FROM {version_tags} WHERE bank = ? AND tag_hash = ?)', bank, Buffer.from(tag, 'hex'));
  if (filter.subjectHash !== undefined)
    add(
      'doc IN (SELECT doc FROM {version_subjects} WHERE bank = ? AND subject_hash = ?)',
      bank,
      Buffer.from(filter.subjectHash, 'hex'),
    );
  if (filter.sessionId !== undefined) add('session_id = ?', filter.sessionId);
  if (filter.taskId !== undefined) add('task_id = ?', filter.taskId);
  const timed = filter.from !== undefined || filter.to !== undefined;
  // The index begins with the kind, so a range of time names all of them.
  const kinds = filter.kinds ?? (timed ? memoryKinds : undefined);
  if (kinds) add(`kind IN (${kinds.map(() => '?').join(', ')})`, ...kinds);
  if (filter.from !== undefined) add('happened_at >= ?', filter.from);
  if (filter.to !== undefined) add('happened_at < ?', filter.to);
  const where = ['bank = ?', ...conditions].join(' AND ');
  return (arrays(`SELECT doc FROM {versions} WHERE ${where} ORDER BY doc`).all(bank, ...values) as [number][]).map(
    ([doc]) => doc,
  );
}
