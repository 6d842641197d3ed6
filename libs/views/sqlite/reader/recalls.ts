import type { RecallFilter, ViewsReader } from '../../reader.js';
import { type RecallRecord, toRecall } from '../../recall-records.js';
import type { RecallRow } from '../../rows.js';
import type { BankView, Tables } from './tables.js';

export function recallReader(tables: Tables): Pick<ViewsReader, 'recallsOf' | 'recallsServing' | 'recallsAbout'> {
  return {
    recallsOf: (bank, asked) => tables.read(bank, (view) => recallsOf(view, asked).map(rowOf(bank)), []),
    recallsServing: (bank, memoryIds) =>
      tables.read<RecallRow[]>(
        bank,
        (view) =>
          through(
            view,
            'SELECT recall_no FROM {served} WHERE bank = ?1 AND memory_id IN (SELECT value FROM json_each(?2))',
            memoryIds,
          ).map(rowOf(bank)),
        [],
      ),
    recallsAbout: (bank, subjectHash) =>
      tables.read<RecallRow[]>(
        bank,
        (view) =>
          through(
            view,
            'SELECT recall_no FROM {recall_subjects} WHERE bank = ?1 AND subject_hash IN (SELECT unhex(value) FROM json_each(?2))',
            [subjectHash],
          ).map(rowOf(bank)),
        [],
      ),
  };
}

function rowOf(bank: string): (record: RecallRecord) => RecallRow {
  return (record) => toRecall(bank, record);
}

function recallsOf({ bank, sql }: BankView, asked: RecallFilter): RecallRecord[] {
  const { recallId, sessionId, principal, before, after, newestFirst = false, limit } = asked;
  const where = ['bank = ?'];
  const values: (string | number)[] = [bank];
  const also = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    values.push(value);
  };
  also('recall_id = ?', recallId);
  also('session_id = ?', sessionId);
  also('principal = ?', principal);
  also('asked_at < ?', before);
  also(newestFirst ? 'recall_no < ?' : 'recall_no > ?', after);
  const order = newestFirst ? 'DESC' : 'ASC';
  return sql(`SELECT * FROM {recalls} WHERE ${where.join(' AND ')} ORDER BY recall_no ${order} LIMIT ?`).all(
    ...values,
    limit,
  ) as unknown as RecallRecord[];
}

function through({ bank, sql }: BankView, numbers: string, names: readonly string[]): RecallRecord[] {
  return sql(`SELECT * FROM {recalls} WHERE bank = ?1 AND recall_no IN (${numbers}) ORDER BY recall_no`).all(
    bank,
    JSON.stringify(names),
  ) as unknown as RecallRecord[];
}
