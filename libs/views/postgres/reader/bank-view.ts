import { createHash } from 'node:crypto';
import pg, { type ClientBase } from 'pg';
import { HindsightError } from '#contract/errors.js';
import { partitionOf } from '../../partition.js';
import { findingsShape } from '../../tables/findings.js';
import { keywordsShape } from '../../tables/keywords.js';
import { memoriesShape } from '../../tables/memories.js';
import { ratingsShape } from '../../tables/ratings.js';
import { recallsShape } from '../../tables/recalls.js';
import { statsShape } from '../../tables/stats.js';
import { versionsShape } from '../../tables/versions.js';
import type { ProjectionShape } from '../../views.js';
import { encodeText } from '../cells.js';
import { qualified } from '../schema.js';
import { isSwitched, type PostgresStore, stampSql } from '../store.js';

/** What a statement is given. */
export type Value = string | number | Buffer | readonly (string | number | Buffer)[];

/**
 * One bank in one transaction, through the generations in use: everything it reads is of one moment of the database. In a statement
 * `{versions}` is a table, `$1` the bank's number; what is handed over follows as `$2`, ….
 */
export interface BankView {
  /** Rows as objects. */
  rows<R extends object>(statement: string, ...values: Value[]): Promise<R[]>;
  /** Rows as arrays: for many of them. */
  arrays<R extends readonly unknown[]>(statement: string, ...values: Value[]): Promise<R[]>;
}

export interface Banks {
  /** Runs `work` on a bank; `empty` is the answer for a bank that was never seen. */
  read<T>(bank: string, work: (view: BankView) => Promise<T>, empty: T): Promise<T>;
  /** A question that goes over banks: to one of the owner's functions, which give nothing else. */
  ask<R extends object>(statement: string, ...values: string[]): Promise<R[]>;
}

/** Projections that an answer at a moment rests on: it may lie no later than what all of these have passed. */
const restedOn: readonly ProjectionShape[] = [memoriesShape, versionsShape, keywordsShape, ratingsShape, findingsShape];

const shapes = [...restedOn, statsShape];
const shapeOf = new Map(
  [...shapes, recallsShape].flatMap((shape) => shape.tables.map((table) => [table.name, { shape, table }] as const)),
);

/** A generation may be dropped between looking it up and reading it. Where nothing has changed since the last try, another one hardly helps. */
const tries = 3;
/**
 * Milliseconds in which a read is tried again for as long as others change something between its tries: a replay makes a generation of each
 * projection, switches and drops within a few hundred, and a slow reader may meet a change in each of its tries.
 */
const patience = 5_000;

/** @param refill called before a read that found no views is tried again */
export function createBanks(store: PostgresStore, refill: () => Promise<void>): Banks {
  const { connections } = store;
  let stamp = '';
  let resolved = new Map<string, { name: string; text: string }>();

  /** A statement with its tables in place, named so that a connection prepares it once. */
  function resolve(statement: string): { name: string; text: string } {
    if (stamp !== store.known.stamp) {
      stamp = store.known.stamp;
      resolved = new Map();
    }
    const known = resolved.get(statement);
    if (known) return known;
    const text = statement.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'checkpoints') return checkpoints();
      const { shape, table } = shapeOf.get(name)!;
      return qualified(table, generationOf(shape));
    });
    const fresh = { name: `read ${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`, text };
    resolved.set(statement, fresh);
    return fresh;
  }

  function generationOf(shape: ProjectionShape): number {
    const generation = store.inUse(shape)?.generation;
    if (generation !== undefined) return generation;
    throw new HindsightError('checkpoint_moved', `The views hold no ${shape.name} of this release yet.`, {
      projection: shape.name,
    });
  }

  /** Those of the bank's partition, of every projection that is read from; `rested_on` where answers rest on it. */
  function checkpoints(): string {
    const inUse = shapes.map((shape) => `('${shape.name}', ${generationOf(shape)}, ${restedOn.includes(shape)})`);
    return (
      `(SELECT held.projection, coalesce(held.position, '') AS position, used.rested_on FROM hindsight.hl_checkpoints AS held ` +
      `JOIN (VALUES ${inUse.join(', ')}) AS used (projection, generation, rested_on) USING (projection, generation) WHERE held.partition = current_setting('hindsight.partition')::integer)`
    );
  }

  function viewOf(client: ClientBase, number: number): BankView {
    const query = (statement: string, values: Value[]) => ({
      ...resolve(statement),
      values: [number, ...values.map((value) => (typeof value === 'string' ? encodeText(value) : value))],
    });
    return {
      rows: async <R extends object>(statement: string, ...values: Value[]) =>
        (await client.query(query(statement, values))).rows as R[],
      arrays: async <R extends readonly unknown[]>(statement: string, ...values: Value[]) =>
        (await client.query({ ...query(statement, values), rowMode: 'array' })).rows as unknown as R[],
    };
  }

  async function again<T>(once: () => Promise<T>): Promise<T> {
    const until = performance.now() + patience;
    for (let unchanged = 0; ; ) {
      const before = store.known.stamp;
      try {
        return await store.guarded(once, async () => {
          await refill();
          return once();
        });
      } catch (error) {
        if (!isSwitched(error) || performance.now() > until) throw error;
        await refill();
        if ((await store.refresh()).stamp === before && ++unchanged === tries) throw error;
      }
    }
  }

  return {
    read: (bank, work, empty) =>
      again(() =>
        connections.transaction(
          async (client, begun) => {
            if (begun?.stamp !== store.known.stamp)
              throw new HindsightError('checkpoint_moved', 'The views were switched or made anew.');
            return begun.bank === null ? empty : work(viewOf(client, begun.bank as number));
          },
          beginOf(bank, partitionOf(bank, store.partitions)),
        ),
      ),
    ask: (statement, ...values) =>
      again(() => connections.run({ text: statement, values: values.map((value) => encodeText(value)) })),
  };
}

/** The bank's number is looked up here, and not remembered: the tables may be others than before. The settings end with the transaction. */
function beginOf(bank: string, partition: number): string {
  return (
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT number AS bank, set_config('hindsight.bank', number::text, true), ` +
    `set_config('hindsight.partition', '${partition}', true), ` +
    `${stampSql} AS stamp FROM hindsight.hl_bank_number(${pg.escapeLiteral(bank)}) AS number`
  );
}
