import { type Cell, groupOf, type Row, type Table } from '#views/table.js';
import type { GroupRequest, TableChange } from '#views/views.js';
import type { RowsInHand } from '../projections/projection.js';
import { type AppendedRows, appendedRows, joined } from './appended-rows.js';

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
  /** A group is one row: that of the key. */
  readonly single: boolean;
  readonly groups: Map<string, Row[]>;
  added: Row[];
  changed: Map<string, Row>;
  appended: AppendedRows;
}

/** Groups kept from batch to batch: what was just written is often revised. Most are one short row; about 3 MB. */
const keptGroups = 5_000;

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
        single: table.group === undefined,
        groups: new Map(),
        added: [],
        changed: new Map(),
        appended: appendedRows(table),
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
      return handOf(table).groups.get(group.join('\n')) ?? [];
    }) as RowsInHand['of'],
    put: ((table: Table, row: Row) => {
      const hand = handOf(table);
      const group = joined(row, hand.group);
      const rows = hand.groups.get(group) ?? [];
      const isFinished = hand.whereUnset !== undefined && row[hand.whereUnset] !== null;
      // A new list: whoever looks at the old one must not see it change.
      if (hand.single) hand.groups.set(group, [row]);
      else {
        const others = rows.filter((each) => table.key.some((column) => each[column] !== row[column]));
        hand.groups.set(group, isFinished ? others : [...others, row]);
      }
      hand.changed.set(joined(row, table.key), row);
    }) as RowsInHand['put'],
    add: ((table: Table, row: Row) => {
      handOf(table).added.push(row);
    }) as RowsInHand['add'],
    append: ((table: Table, row: Row) => {
      handOf(table).appended.append(row);
    }) as RowsInHand['append'],
    changes() {
      return [...hands.values()]
        .filter(({ added, changed, appended }) => added.length > 0 || changed.size > 0 || appended.size() > 0)
        .map(({ table, added, changed, appended }) => ({
          table,
          added,
          changed: inKeyOrder(changed),
          appended: appended.rows(),
        }));
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
        hand.appended = appendedRows(hand.table);
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
