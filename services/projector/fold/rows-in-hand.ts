import { type Cell, groupOf, type Row, type Table } from '#views/table.js';
import type { GroupRequest, TableChange } from '#views/views.js';
import type { RowsInHand } from '../projections/projection.js';

/** Rows of a batch: what was asked for is loaded once, what changed is written once. */
export interface Hand extends RowsInHand {
  /** Notes that a group will be looked at. */
  ask(table: Table, ...group: readonly Cell[]): void;
  /** The groups that were asked for and are not in hand yet; asked for once. */
  missing(): GroupRequest[];
  take(requests: readonly GroupRequest[], rows: readonly (readonly Row[])[]): void;
  changes(): TableChange[];
  /** The changes are committed: the rows are what the store holds. */
  committed(): void;
  /** Nothing of it was committed: all is forgotten. */
  discard(): void;
}

interface TableHand {
  readonly table: Table;
  readonly group: readonly string[];
  readonly whereUnset: string | undefined;
  readonly groups: Map<string, Row[]>;
  added: Row[];
  changed: Map<string, Row>;
}

/** Groups kept from batch to batch: common terms come again. Most are one short row; about 20 MB. */
const keptGroups = 60_000;

export function createHand(): Hand {
  const hands = new Map<Table, TableHand>();
  let asked: GroupRequest[] = [];
  const askedKeys = new Set<string>();

  function handOf(table: Table): TableHand {
    let hand = hands.get(table);
    if (!hand) {
      hand = {
        table,
        group: groupOf(table),
        whereUnset: table.group?.whereUnset,
        groups: new Map(),
        added: [],
        changed: new Map(),
      };
      hands.set(table, hand);
    }
    return hand;
  }

  return {
    ask(table, ...group) {
      const key = group.join('\n');
      if (handOf(table).groups.has(key)) return;
      const full = `${table.name}\n${key}`;
      if (askedKeys.has(full)) return;
      askedKeys.add(full);
      asked.push({ table, group });
    },
    missing() {
      const requests = asked;
      asked = [];
      askedKeys.clear();
      return requests;
    },
    take(requests, rows) {
      requests.forEach(({ table, group }, index) => {
        handOf(table).groups.set(group.join('\n'), [...rows[index]!]);
      });
    },
    of: ((table: Table, ...group: readonly Cell[]) => {
      const rows = handOf(table).groups.get(group.join('\n'));
      if (!rows) throw new Error(`${table.name} was not asked for ${group.join(', ')}`);
      return rows;
    }) as RowsInHand['of'],
    put: ((table: Table, row: Row) => {
      const hand = handOf(table);
      const rows = hand.groups.get(joined(row, hand.group));
      if (!rows) throw new Error(`${table.name} was not asked for ${joined(row, hand.group)}`);
      const index = rows.findIndex((each) => table.key.every((column) => each[column] === row[column]));
      const finished = hand.whereUnset !== undefined && row[hand.whereUnset] !== null;
      if (index >= 0) rows.splice(index, 1, ...(finished ? [] : [row]));
      else if (!finished) rows.push(row);
      hand.changed.set(joined(row, table.key), row);
    }) as RowsInHand['put'],
    add: ((table: Table, row: Row) => {
      handOf(table).added.push(row);
    }) as RowsInHand['add'],
    changes() {
      return [...hands.values()]
        .filter(({ added, changed }) => added.length > 0 || changed.size > 0)
        .map(({ table, added, changed }) => ({ table, added, changed: inKeyOrder(changed) }));
    },
    discard() {
      hands.clear();
      asked = [];
      askedKeys.clear();
    },
    committed() {
      let kept = 0;
      for (const hand of hands.values()) {
        hand.added = [];
        hand.changed = new Map();
        kept += hand.groups.size;
      }
      if (kept > keptGroups) for (const hand of hands.values()) hand.groups.clear();
    },
  };
}

/** Neighbours in a tree are written one after the other. */
function inKeyOrder(changed: ReadonlyMap<string, Row>): Row[] {
  return [...changed.keys()].sort().map((key) => changed.get(key)!);
}

function joined(row: Row, columns: readonly string[]): string {
  let key = '';
  for (let index = 0; index < columns.length; index++)
    key += index ? `\n${row[columns[index]!]}` : row[columns[index]!];
  return key;
}
