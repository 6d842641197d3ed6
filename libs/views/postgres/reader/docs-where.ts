import { memoryKinds } from '#events/version-fields.js';
import type { VersionFilter } from '../../reader.js';
import type { BankView, Value } from './bank-view.js';

/** Doc numbers of the versions that match, ascending. */
export async function docsWhere(view: BankView, filter: VersionFilter): Promise<number[]> {
  const conditions = ['bank = $1'];
  const values: Value[] = [];
  const add = (condition: (given: string) => string, value: Value): void => {
    values.push(value);
    conditions.push(condition(`$${values.length + 1}`));
  };
  for (const tag of filter.tagHashes ?? [])
    add((given) => `doc IN (SELECT doc FROM {version_tags} WHERE bank = $1 AND tag_hash = ${given})`, hex(tag));
  if (filter.subjectHash !== undefined)
    add(
      (given) => `doc IN (SELECT doc FROM {version_subjects} WHERE bank = $1 AND subject_hash = ${given})`,
      hex(filter.subjectHash),
    );
  if (filter.sessionId !== undefined) add((given) => `session_id = ${given}`, filter.sessionId);
  if (filter.taskId !== undefined) add((given) => `task_id = ${given}`, filter.taskId);
  const timed = filter.from !== undefined || filter.to !== undefined;
  // The index begins with the kind, so a range of time names all of them.
  const kinds = filter.kinds ?? (timed ? memoryKinds : undefined);
  if (kinds) add((given) => `kind = ANY(${given}::text[])`, kinds);
  if (filter.from !== undefined) add((given) => `happened_at >= ${given}`, filter.from);
  if (filter.to !== undefined) add((given) => `happened_at < ${given}`, filter.to);
  const rows = await view.arrays<[number]>(
    `SELECT doc FROM {versions} WHERE ${conditions.join(' AND ')} ORDER BY doc`,
    ...values,
  );
  return rows.map(([doc]) => doc);
}

function hex(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}
