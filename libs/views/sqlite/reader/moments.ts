import type { ViewsReader } from '../../reader.js';
import type { MomentRow } from '../../rows.js';
import type { BankView, Tables } from './tables.js';

interface MomentRecord {
  seq: number;
  position: string;
  event_id: string;
  hash: string;
  system_time: string;
}

export function momentReader(
  tables: Tables,
): Pick<ViewsReader, 'headMoment' | 'momentAtPosition' | 'momentAtTime' | 'momentWithHash' | 'momentsBySeq'> {
  const last = (bank: string, isAtOrBefore: (moment: MomentRecord) => boolean) =>
    tables.read<MomentRow | undefined>(bank, (view) => toMoment(bank, lastWhere(view, isAtOrBefore)), undefined);
  return {
    headMoment: (bank) => tables.read<MomentRow | undefined>(bank, (view) => toMoment(bank, head(view)), undefined),
    momentAtPosition: (bank, position) => last(bank, (moment) => moment.position <= position),
    momentWithHash: (bank, hash) =>
      tables.read<MomentRow | undefined>(
        bank,
        (view) =>
          toMoment(
            bank,
            view.sql('SELECT * FROM {moments} WHERE bank = ? AND hash = ?').get(view.bank, hash) as
              | MomentRecord
              | undefined,
          ),
        undefined,
      ),
    momentsBySeq: (bank, seqs) =>
      tables.read<MomentRow[]>(
        bank,
        (view) => {
          const select = view.sql('SELECT * FROM {moments} WHERE bank = ? AND seq = ?');
          const inOrder = [...new Set(seqs)].sort((one, other) => one - other);
          return inOrder.flatMap((seq) => toMoment(bank, select.get(view.bank, seq) as MomentRecord | undefined) ?? []);
        },
        [],
      ),
    momentAtTime: (bank, time) => last(bank, (moment) => moment.system_time <= time),
  };
}

function head({ bank, sql }: BankView): MomentRecord | undefined {
  return sql('SELECT * FROM {moments} WHERE bank = ? ORDER BY seq DESC LIMIT 1').get(bank) as MomentRecord | undefined;
}

/** Positions and system times never fall with seq, so both are found by halving, without an index of their own. */
function lastWhere(view: BankView, isAtOrBefore: (moment: MomentRecord) => boolean): MomentRecord | undefined {
  const select = view.sql('SELECT * FROM {moments} WHERE bank = ? AND seq = ?');
  let found = head(view);
  if (!found || isAtOrBefore(found)) return found;
  let low = 0;
  let high = found.seq;
  found = undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const moment = select.get(view.bank, middle) as MomentRecord;
    if (isAtOrBefore(moment)) {
      low = middle;
      found = moment;
    } else high = middle;
  }
  return found;
}

function toMoment(bank: string, record: MomentRecord | undefined): MomentRow | undefined {
  if (!record) return undefined;
  const { seq, position, event_id, hash, system_time } = record;
  return { bank, seq, position, eventId: event_id, hash, systemTime: system_time };
}
