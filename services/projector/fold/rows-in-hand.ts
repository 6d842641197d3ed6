import { type Cell, groupOf, type Interval, type Row, type Table } from '#views/table.js';
import type { GroupRequest, TableChange } from '#views/views.js';
import type { Ask, RowsInHand } from '../projections/projection.js';
import { joined, type PiecesInHand, piecesInHand } from './pieces-in-hand.js';
import { type RowsByKey, rowsByKey } from './rows-by-key.js';

/** Rows of a batch: what was asked for is loaded once, what changed is written once. */
export interface Hand extends RowsInHand {
  /** Notes that a group will be looked at. Between batches only: what is loaded takes the place of what is in hand. */
  readonly ask: Ask;
  /** The groups that were asked for and are not in hand yet; asked for once. */
  missing(): GroupRequest[];
  take(requests: readonly GroupRequest[], rows: readonly (readonly Row[])[]): void;
  changes(): TableChange[];
  /** All rows of a bank go, those in hand included: what follows starts from nothing. */
  endBank(bank: string): void;
  /** Banks that ended since the last commit. */
  ended(): readonly string[];
  /** The changes are committed: the rows are what the store holds. */
  committed(): void;
  /** Nothing of it was committed: all is forgotten. */
  discard(): void;
}

/** Rows of one group, by key. */
interface Group {
  readonly rows: RowsByKey;
  /** How much of it is in hand. */
  within: Interval;
}

interface Asked extends GroupRequest {
  readonly within: Interval;
  /** How much of the group is in hand as it is. */
  readonly inHand: Interval | undefined;
}

interface TableHand {
  readonly table: Table;
  readonly group: readonly string[];
  readonly whereUnset: string | undefined;
  readonly groups: Map<string, Group>;
  added: Row[];
  changed: Map<string, Row>;
  pieces: PiecesInHand;
}

/** Groups kept from batch to batch: what was just written is often revised. Most are one short row; about 3 MB. */
const keptGroups = 5_000;

/** Rows kept of a group that can be asked for in part. */
const keptIntervals = 64;

const all: Interval = { from: -Infinity, to: Infinity };
const nothing: Interval = { from: Infinity, to: -Infinity };

export function createHand(): Hand {
  const hands = new Map<Table, TableHand>();
  const asked = new Map<string, Asked>();
  let endedBanks: string[] = [];

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
        pieces: piecesInHand(table),
      };
      hands.set(table, hand);
    }
    return hand;
  }

  return {
    ask(table, group, within = all) {
      const { groups } = handOf(table);
      const key = group.join('\n');
      const inHand = groups.get(key)?.within;
      if (inHand === all) return;
      const full = `${table.name}\n${key}`;
      // What another event asks for that is in hand counts too: what is loaded takes the place of it.
      const before = asked.get(full)?.within ?? within;
      asked.set(full, { table, group, inHand, within: covering(before, within) });
    },
    missing() {
      const requests: GroupRequest[] = [];
      for (const { table, group, within, inHand } of asked.values()) {
        if (inHand && inHand.from <= within.from && within.to <= inHand.to) continue;
        requests.push(within === all ? { table, group } : { table, group, within });
      }
      asked.clear();
      return requests;
    },
    take(requests, rows) {
      requests.forEach(({ table, group, within = all }, index) => {
        handOf(table).groups.set(group.join('\n'), {
          rows: rowsByKey(rows[index]!.map((row) => [joined(row, table.key), row])),
          within,
        });
      });
    },
    of: ((table: Table, ...group: readonly Cell[]) => {
      const found = handOf(table).groups.get(group.join('\n'));
      // A new list: whoever looks at it must not see it change.
      return found ? found.rows.list() : [];
    }) as RowsInHand['of'],
    put: ((table: Table, row: Row) => {
      const { groups, group: by, whereUnset, changed } = handOf(table);
      const key = joined(row, table.key);
      const groupKey = by === table.key ? key : joined(row, by);
      let group = groups.get(groupKey);
      if (!group) {
        // Only a row that is alone in its group is all there is of it.
        group = { rows: rowsByKey(), within: by === table.key ? all : nothing };
        groups.set(groupKey, group);
      }
      if (whereUnset !== undefined && row[whereUnset] !== null) group.rows.delete(key);
      else group.rows.set(key, row);
      changed.set(key, row);
    }) as RowsInHand['put'],
    add: ((table: Table, row: Row) => {
      handOf(table).added.push(row);
    }) as RowsInHand['add'],
    append: ((table: Table, shared: Row, by: string, piece: string) => {
      handOf(table).pieces.append(shared, by, piece);
    }) as RowsInHand['append'],
    changes() {
      return [...hands.values()]
        .map(({ table, added, changed, pieces }) => ({
          table,
          added,
          changed: inKeyOrder(changed),
          appended: pieces.all(),
        }))
        .filter(({ added, changed, appended }) => added.length + changed.length + appended.length > 0);
    },
    endBank(bank) {
      endedBanks.push(bank);
      const isOthers = (row: Row) => row.bank !== bank;
      for (const hand of hands.values()) {
        hand.added = hand.added.filter(isOthers);
        for (const [key, row] of hand.changed) if (!isOthers(row)) hand.changed.delete(key);
        hand.pieces.forget(isOthers);
        // A group begins with its bank.
        for (const key of hand.groups.keys()) if (key === bank || key.startsWith(`${bank}\n`)) hand.groups.delete(key);
      }
    },
    ended: () => endedBanks,
    discard() {
      hands.clear();
      asked.clear();
      endedBanks = [];
    },
    committed() {
      endedBanks = [];
      let kept = 0;
      for (const hand of hands.values()) {
        hand.added = [];
        hand.changed = new Map();
        hand.pieces = piecesInHand(hand.table);
        if (hand.table.group?.interval) forgetLong(hand.groups);
        kept += hand.groups.size;
      }
      if (kept > keptGroups) for (const hand of hands.values()) hand.groups.clear();
    },
  };
}

function covering(one: Interval, other: Interval): Interval {
  if (one === all || other === all) return all;
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}

/** A part of it costs less to load than all of it to look through. */
function forgetLong(groups: Map<string, Group>): void {
  for (const [key, { rows }] of groups) if (rows.size() > keptIntervals) groups.delete(key);
}

/** Neighbours in a tree are written one after the other. */
function inKeyOrder(changed: ReadonlyMap<string, Row>): Row[] {
  return [...changed.keys()].sort().map((key) => changed.get(key)!);
}
