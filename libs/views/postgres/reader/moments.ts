import type { ViewsReader } from '../../reader.js';
import type { MomentRow } from '../../rows.js';
import type { Banks, BankView } from './bank-view.js';

interface MomentRecord {
  seq: number;
  position: string;
  event_id: string;
  hash: string;
  system_time: string;
}

/**
 * The bank's last moment whose `column` is at or before `bound`, as a scalar subquery; 0 when there is none. Positions and system times
 * never fall with seq, so it is found by halving, without an index of their own; mostly the first look, at the head, is the last.
 */
function lastMoment(column: 'position' | 'system_time', bound: string): string {
  const isBefore = `moment.${column} <= (SELECT value FROM bound)`;
  return `(
    WITH RECURSIVE bound AS MATERIALIZED (SELECT ${bound} AS value),
    halved (low, high) AS (
      (SELECT CASE WHEN ${isBefore} THEN moment.seq ELSE 0 END, CASE WHEN ${isBefore} THEN moment.seq + 1 ELSE moment.seq END
        FROM {moments} AS moment WHERE moment.bank = $1 ORDER BY moment.seq DESC LIMIT 1)
      UNION ALL
      SELECT CASE WHEN ${isBefore} THEN moment.seq ELSE low END, CASE WHEN ${isBefore} THEN high ELSE moment.seq END
        FROM halved CROSS JOIN LATERAL
          (SELECT * FROM {moments} AS held WHERE held.bank = $1 AND held.seq = (low + high) / 2 LIMIT 1) AS moment
        WHERE high - low > 1
    )
    SELECT coalesce(max(low), 0) FROM halved)`;
}

/**
 * The bank's last moment that every projection which answers rest on has passed, as a scalar subquery; 0 before the first. Each
 * projection commits by itself: one may show what another does not know yet.
 */
export const safeMoment = lastMoment(
  'position',
  '(SELECT min(position) FROM {checkpoints} AS checkpoint WHERE rested_on)',
);

export function momentReader(
  banks: Banks,
): Pick<ViewsReader, 'headMoment' | 'momentAtPosition' | 'momentAtTime' | 'momentWithHash' | 'momentsBySeq'> {
  const one = (bank: string, where: string, ...values: string[]) =>
    banks.read<MomentRow | undefined>(bank, (view) => momentWhere(view, bank, where, ...values), undefined);
  return {
    headMoment: (bank) => one(bank, `seq = ${safeMoment}`),
    momentAtPosition: (bank, position) =>
      one(bank, `seq = least(${safeMoment}, ${lastMoment('position', '$2::text COLLATE "C"')})`, position),
    momentsBySeq: (bank, seqs) =>
      banks.read<MomentRow[]>(
        bank,
        async (view) =>
          (
            await view.rows<MomentRecord>(
              `SELECT seq, position, event_id, hash, system_time FROM {moments}
                WHERE bank = $1 AND seq = ANY($2::bigint[]) AND seq <= ${safeMoment} ORDER BY seq`,
              seqs,
            )
          ).map((record) => toMoment(bank, record)),
        [],
      ),
    momentAtTime: (bank, time) =>
      one(bank, `seq = least(${safeMoment}, ${lastMoment('system_time', '$2::text COLLATE "C"')})`, time),
    momentWithHash: (bank, hash) => one(bank, `hash = $2 AND seq <= ${safeMoment}`, hash),
  };
}

async function momentWhere(
  view: BankView,
  bank: string,
  where: string,
  ...values: string[]
): Promise<MomentRow | undefined> {
  const [record] = await view.rows<MomentRecord>(
    `SELECT seq, position, event_id, hash, system_time FROM {moments} WHERE bank = $1 AND ${where}`,
    ...values,
  );
  return record && toMoment(bank, record);
}

function toMoment(bank: string, { seq, position, event_id, hash, system_time }: MomentRecord): MomentRow {
  return { bank, seq, position, eventId: event_id, hash, systemTime: system_time };
}
