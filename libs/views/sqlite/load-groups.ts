import type { Row, Table } from '../table.js';
import { groupOf } from '../table.js';
import type { GroupRequest } from '../views.js';
import { readCell, searchValue } from './cells.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';

interface Plan {
  readonly sql: string;
  readonly group: readonly string[];
  readonly rest: readonly string[];
}

const plans = new WeakMap<Table, Map<number, Plan>>();

/** The rows of each group. What the request says already is copied from it, not read. */
export function loadGroups(store: Store, generation: number, requests: readonly GroupRequest[]): Row[][] {
  return requests.map(({ table, group }) => {
    const plan = planOf(table, generation);
    const values: (string | number | Uint8Array | null)[] = [];
    for (let index = 0; index < group.length; index++) {
      const value = searchValue(table.columns[plan.group[index]!]!, group[index]!, store);
      if (value === undefined) return [];
      values.push(value);
    }
    const statement = store.file.db.prepare(plan.sql);
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
    const where = group.map((column) => `${column} = ?`).join(' AND ');
    const order = table.key.filter((column) => !group.includes(column));
    plan = {
      group,
      rest,
      sql: `SELECT ${rest.join(', ')} FROM ${tableName(table, generation)} WHERE ${where}${unset}${order.length ? ` ORDER BY ${order.join(', ')}` : ''}`,
    };
    byGeneration.set(generation, plan);
  }
  return plan;
}
