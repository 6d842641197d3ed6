import type { Cell, Row, Table } from '../table.js';
import { groupOf } from '../table.js';
import type { GenerationId, GroupRequest } from '../views.js';
import { cellsLiteral, givenValue, unnested } from './array-literal.js';
import { readCell, type SqlValue } from './cells.js';
import { qualified } from './schema.js';
import type { PostgresStore } from './store.js';

/** Bound for an end that is infinite: beyond every moment, and exact as a double. */
const forever = Number.MAX_SAFE_INTEGER;

interface Plan {
  readonly sql: string;
  readonly group: readonly string[];
  readonly rest: readonly string[];
}

/** The rows of each group, in one round trip per table. What the request says already is copied from it, not read. */
export async function loadGroups(
  store: PostgresStore,
  id: GenerationId,
  requests: readonly GroupRequest[],
): Promise<Row[][]> {
  const banks = requests.map(({ table, group }) => group[groupOf(table).indexOf('bank')] as string);
  const numbers = await store.bankNumbers(banks);
  const loaded: Row[][] = requests.map(() => []);
  const byTable = new Map<Table, number[]>();
  for (let index = 0; index < requests.length; index++) {
    // Of a bank that was never seen there is nothing.
    if (!numbers.has(banks[index]!)) continue;
    const { table } = requests[index]!;
    const indexes = byTable.get(table);
    if (indexes) indexes.push(index);
    else byTable.set(table, [index]);
  }
  await Promise.all(
    [...byTable].map(async ([table, indexes]) => {
      const plan = planOf(table, id.generation);
      const asked = indexes.map((index) => requests[index]!);
      const values = plan.group.map((column, place) =>
        cellsLiteral(
          table.columns[column]!,
          asked.map(({ group }) => group[place]!),
          numbers,
        ),
      );
      if (table.group?.interval) {
        values.push(`{${asked.map(({ within }) => Math.max(within?.from ?? -forever, -forever)).join(',')}}`);
        values.push(`{${asked.map(({ within }) => Math.min(within?.to ?? forever, forever)).join(',')}}`);
      }
      const name = `load ${table.name}_g${id.generation}`;
      for (const found of await store.connections.arrays<SqlValue[]>({ name, text: plan.sql, values })) {
        const index = indexes[(found[0] as number) - 1]!;
        const row: Record<string, Cell> = {};
        for (let place = 0; place < plan.group.length; place++)
          row[plan.group[place]!] = requests[index]!.group[place]!;
        for (let place = 0; place < plan.rest.length; place++) {
          const column = plan.rest[place]!;
          row[column] = readCell(table.columns[column]!, found[place + 1]!);
        }
        loaded[index]!.push(row);
      }
    }),
  );
  return loaded;
}

const plans = new WeakMap<Table, Map<number, Plan>>();

function planOf(table: Table, generation: number): Plan {
  let byGeneration = plans.get(table);
  if (!byGeneration) {
    byGeneration = new Map();
    plans.set(table, byGeneration);
  }
  let plan = byGeneration.get(generation);
  if (!plan) {
    plan = makePlan(table, qualified(table, generation));
    byGeneration.set(generation, plan);
  }
  return plan;
}

function makePlan(table: Table, name: string): Plan {
  const group = groupOf(table);
  const rest = Object.keys(table.columns).filter((column) => !group.includes(column));
  const unset = table.group?.whereUnset ? ` AND held.${table.group.whereUnset} IS NULL` : '';
  const where = group.map((column) => `held.${column} = ${givenValue(table, column)}`).join(' AND ') + unset;
  const from = table.group?.interval?.from;
  const given = unnested(table, group, from === undefined ? [] : ['bigint[]', 'bigint[]']);
  const columns = [...group, ...(from === undefined ? [] : ['from_here', 'to_here']), 'number'];
  const order = ['given.number', ...table.key.filter((column) => !group.includes(column)).map((key) => `held.${key}`)];
  return {
    group,
    rest,
    sql:
      `SELECT ${['given.number', ...rest.map((column) => `held.${column}`)].join(', ')} ` +
      `FROM ${given} WITH ORDINALITY AS given (${columns.join(', ')}) JOIN ${name} AS held ON ${where}` +
      `${from === undefined ? '' : overlapping(name, where, from)} ORDER BY ${order.join(', ')}`,
  };
}

/** As the intervals of a group are disjoint, the last one that begins before is the only one of those that may reach in. */
function overlapping(name: string, where: string, from: string): string {
  const before = `(SELECT max(held.${from}) FROM ${name} AS held WHERE ${where} AND held.${from} <= given.from_here)`;
  return ` AND held.${from} >= coalesce(${before}, given.from_here) AND held.${from} < given.to_here`;
}
