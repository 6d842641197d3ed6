import type { RecallFilter, ViewsReader } from '../../reader.js';
import { type RecallRecord, toRecall } from '../../recall-records.js';
import type { RecallRow } from '../../rows.js';
import { encodeText } from '../cells.js';
import type { Banks, BankView } from './bank-view.js';
import { decoded } from './history.js';

export function recallReader(banks: Banks): Pick<ViewsReader, 'recallsOf' | 'recallsServing' | 'recallsAbout'> {
  return {
    recallsOf: (bank, asked) =>
      banks.read<RecallRow[]>(bank, async (view) => (await recallsOf(view, asked)).map(rowOf(bank)), []),
    recallsServing: (bank, memoryIds) =>
      banks.read<RecallRow[]>(
        bank,
        async (view) =>
          (
            await view.rows<RecallRecord>(
              through('SELECT recall_no FROM {served} WHERE bank = $1 AND memory_id = ANY($2::text[])'),
              memoryIds.map(encodeText),
            )
          ).map(rowOf(bank)),
        [],
      ),
    recallsAbout: (bank, subjectHash) =>
      banks.read<RecallRow[]>(
        bank,
        async (view) =>
          (
            await view.rows<RecallRecord>(
              through('SELECT recall_no FROM {recall_subjects} WHERE bank = $1 AND subject_hash = $2'),
              Buffer.from(subjectHash, 'hex'),
            )
          ).map(rowOf(bank)),
        [],
      ),
  };
}

function rowOf(bank: string): (record: RecallRecord) => RecallRow {
  return (record) => toRecall(bank, decoded(record));
}

function through(numbers: string): string {
  return `SELECT * FROM {recalls} WHERE bank = $1 AND recall_no IN (${numbers}) ORDER BY recall_no`;
}

function recallsOf(view: BankView, asked: RecallFilter): Promise<RecallRecord[]> {
  const { recallId, sessionId, principal, before, after, newestFirst = false, limit } = asked;
  const where = ['bank = $1'];
  const values: (string | number)[] = [];
  const also = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(`${condition} $${values.length + 1}`);
  };
  also('recall_id =', recallId);
  also('session_id =', sessionId);
  also('principal =', principal);
  also('asked_at COLLATE "C" <', before);
  also(newestFirst ? 'recall_no <' : 'recall_no >', after);
  values.push(limit);
  const order = newestFirst ? 'DESC' : 'ASC';
  return view.rows<RecallRecord>(
    `SELECT * FROM {recalls} WHERE ${where.join(' AND ')} ORDER BY recall_no ${order} LIMIT $${values.length + 1}`,
    ...values,
  );
}
