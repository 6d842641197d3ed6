import type { Row, Table } from '../table.js';
import { groupOf } from '../table.js';
import type { GroupRequest } from '../views.js';
import { readCell, searchValue } from './cells.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';

interface Plan {
  readonly sql: string;
  /** For the rows that overlap an interval, whose ends are bound behind the group. */
  readonly sqlWithin: string;
  readonly group: readonly string[];
  readonly rest: readonly string[];
}

/** Bound for an end that is infinite: beyond every moment, and exact as a double. */
const forever = Number.MAX_SAFE_INTEGER;

const plans = new WeakMap<Table, Map<number, Plan>>();

/** The rows of each group. What the request says already is copied from it, not read. */
export function loadGroups(store: Store, generation: number, requests: readonly GroupRequest[]): Row[][] {
  return requests.map(({ table, group, within }) => {
    const plan = planOf(table, generation);
    const values: (string | number | Uint8Array | null)[] = [];
    for (let index = 0; index < group.length; index++) {
      const value = searchValue(table.columns[plan.group[index]!]!, group[index]!, store);
      if (value === undefined) return [];
      values.push(value);
    }
    if (within) values.push(Math.max(within.from, -forever), Math.min(within.to, forever));
    const statement = store.file.db.prepare(within ? plan.sqlWithin : plan.sql);
    return (statement.all(...values) as Record<string, string | number | Uint8Array | null>[]).map((found) => {
      const row: Record<string, Row[string]> = {};
      for (let index = 0; index < group.length; index++) row[plan.group[index]!] = group[index]!;
      for (const column of plan.rest) row[column] = readCell(table.columns[column]!, found[column] ?? null, store);
      return row;
    });
  });
}

function planOf(table: Table, generation: number): Plan {
  let byGeneration = plans.get(table);
  if (!byGeneration) {
    byGeneration = new Map();
    plans.set(table, byGeneration);
  }
  let plan = byGeneration.get(generation);
  if (!plan) {
    const group = groupOf(table);
    const rest = Object.keys(table.columns).filter((column) => !group.includes(column));
    const unset = table.group?.whereUnset ? ` AND ${table.group.whereUnset} IS NULL` : '';
    const where = group.map((column, index) => `${column} = ?${index + 1}`).join(' AND ') + unset;
    const name = tableName(table, generation);
    const order = table.key.filter((column) => !group.includes(column)).join(', ');
    const select = `SELECT ${rest.join(', ')} FROM ${name} WHERE ${where}`;
    const orderBy = order ? ` ORDER BY ${order}` : '';
    plan = {
      group,
      rest,
      sql: `${select}${orderBy}`,
      sqlWithin: `${select}${overlapping(table, name, where, group.length)}${orderBy}`,
    };
    byGeneration.set(generation, plan);
  }
  return plan;
}

/** As the intervals of a group are disjoint, the last one that begins before is the only one of those that may reach in. */
function overlapping(table: Table, name: string, where: string, bound: number): string {
  const from = table.group?.interval?.from;
  if (from === undefined) return '';
  const [start, end] = [`?${bound + 1}`, `?${bound + 2}`];
  const before = `(SELECT max(${from}) FROM ${name} WHERE ${where} AND ${from} <= ${start})`;
  return ` AND ${from} >= coalesce(${before}, ${start}) AND ${from} < ${end}`;
}
