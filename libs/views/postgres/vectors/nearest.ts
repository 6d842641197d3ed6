import { type ClientBase, escapeLiteral } from 'pg';
import { toSql } from 'pgvector';
import type { PostgresStore } from '../store.js';
import type { NearestNames } from './nearest-space.js';

export interface Near {
  /** Whether it is certain that no nearer one was missed. */
  readonly exact: boolean;
  /** Cosine, in half precision: -1 to 1. */
  readonly found: readonly { readonly doc: number; readonly similarity: number }[];
}

/**
 * Docs up to which a bank, or what is eligible of it, is looked through one by one, and the answer is exact: 384 dimensions of 1,000 docs
 * took 1.8 ms (p50), of 5,000 3.3, of 10,000 5.5, of 20,000 14.6, of 50,000 34.6; by the index 6 to 7 (bench/vectors.ts, on 2 cores).
 */
export const exactUpTo = 20_000;

/**
 * Candidates that the index keeps while it looks. Rows of other banks are among them, so that more are needed than are asked for: of a
 * tenant with 5% of 100,000 rows it found .918 of the ten nearest with 40 (the default), .945 with 200, .978 with 400, in 2.9, 3.7 and
 * 5.4 ms; with 40 and no iterative scan .190 (bench/vectors.ts).
 */
const candidates = 400;

/** Rows that the index looks at before it gives up: a bank above `exactUpTo` is found among some millions of others'. */
const mostScanned = 200_000;

/** What is true of the transaction: a bank by its number, whether the space is there, and whether its index can be used. */
interface Begun {
  readonly bank: number | null;
  readonly made: boolean;
  readonly indexed: boolean;
}

export function nearestDocs(
  store: PostgresStore,
  bank: string,
  names: NearestNames,
  vector: Float32Array,
  k: number,
  { eligible, exactUpTo }: { readonly eligible: Uint8Array | undefined; readonly exactUpTo: number },
): Promise<Near> {
  return store.connections.transaction(
    async (client, row) => {
      const begun = row as unknown as Begun;
      if (begun.bank === null || !begun.made || k < 1) return { exact: true, found: [] };
      const asked = { bank: begun.bank, names, vector: toSql(Array.from(vector)), k };
      if (!(await isLarge(client, asked, exactUpTo)))
        return { exact: true, found: await ofBank(client, asked, eligible) };
      const few = eligible && upTo(eligible, exactUpTo);
      if (few) return { exact: true, found: await ofDocs(client, asked, few) };
      const found = begun.indexed ? await byIndex(client, asked, eligible) : [];
      if (found.length >= k) return { exact: false, found };
      // The index gave up before it had enough: the bank is a small part of what stands there.
      return { exact: true, found: await ofBank(client, asked, eligible) };
    },
    beginOf(bank, names),
  );
}

/**
 * Settings end with the transaction. Each statement means one way to answer, so the others are not to be weighed against it: sorting
 * instead of the index of vectors, or reading the rows of all banks instead of those of one (14 ms for a bank of 1,000 among 100,000).
 */
function beginOf(bank: string, { table, index }: NearestNames): string {
  const set = (name: string, value: string) => `set_config('${name}', ${value}, true)`;
  return (
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT number AS bank, ' +
    [
      set('hindsight.bank', 'number::text'),
      set('hnsw.iterative_scan', `'strict_order'`),
      set('hnsw.ef_search', `'${candidates}'`),
      set('hnsw.max_scan_tuples', `'${mostScanned}'`),
      set('enable_sort', `'off'`),
      set('enable_seqscan', `'off'`),
      `to_regclass('${table}') IS NOT NULL AS made`,
      `EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('hindsight.${index}') AND indisvalid) AS indexed`,
    ].join(', ') +
    ` FROM hindsight.hl_bank_number(${escapeLiteral(bank)}) AS number`
  );
}

interface Asked {
  readonly bank: number;
  readonly names: NearestNames;
  readonly vector: string;
  readonly k: number;
}

/** By its highest doc, which costs one look into the key, and not by counting. */
async function isLarge(client: ClientBase, { bank, names }: Asked, exactUpTo: number): Promise<boolean> {
  const { rows } = await client.query<{ docs: number | null }>({
    name: `${names.name} size`,
    text: `SELECT max(doc) + 1 AS docs FROM ${names.table} WHERE bank = $1`,
    values: [bank],
  });
  return (rows[0]?.docs ?? 0) > exactUpTo;
}

/** One by one. */
function ofBank(client: ClientBase, asked: Asked, eligible: Uint8Array | undefined): Promise<Near['found']> {
  return oneByOne(client, asked, eligible ? 'of eligible' : 'of bank', eligible && isEligible, masked(eligible));
}

/** One by one of those docs, each looked up by itself. */
function ofDocs(client: ClientBase, asked: Asked, docs: readonly number[]): Promise<Near['found']> {
  return oneByOne(client, asked, 'of docs', 'doc = ANY($4::bigint[])', [docs]);
}

async function oneByOne(
  client: ClientBase,
  { bank, names, vector, k }: Asked,
  statement: string,
  condition: string | undefined,
  values: readonly unknown[],
): Promise<Near['found']> {
  const { rows } = await client.query<Near['found'][number]>({
    name: `${names.name} ${statement}`,
    text: `WITH measured AS MATERIALIZED (
        SELECT doc, vector <=> $2::halfvec AS distance FROM ${names.table} WHERE bank = $1${condition ? ` AND ${condition}` : ''})
      SELECT doc, 1 - distance AS similarity FROM measured ORDER BY distance, doc LIMIT $3`,
    values: [bank, vector, k, ...values],
  });
  return rows;
}

async function byIndex(
  client: ClientBase,
  { bank, names, vector, k }: Asked,
  eligible: Uint8Array | undefined,
): Promise<Near['found']> {
  const { rows } = await client.query<Near['found'][number]>({
    name: `${names.name} by ${eligible ? 'index, eligible' : 'index'}`,
    text: `SELECT doc, 1 - (vector <=> $2::halfvec) AS similarity FROM ${names.table}
      WHERE bank = $1${eligible ? ` AND ${isEligible}` : ''} ORDER BY vector <=> $2::halfvec LIMIT $3`,
    values: [bank, vector, k, ...masked(eligible)],
  });
  return rows.sort((one, other) => other.similarity - one.similarity || one.doc - other.doc);
}

/** A bit per doc: 100,000 take 12.5 kB, and each is looked at without a search. */
const isEligible = 'CASE WHEN doc < $5 THEN get_bit($4::bytea, doc) = 1 ELSE false END';

function masked(eligible: Uint8Array | undefined): unknown[] {
  if (!eligible) return [];
  const bits = Buffer.alloc(Math.ceil(eligible.length / 8));
  for (let doc = 0; doc < eligible.length; doc++) if (eligible[doc]) bits[doc >> 3]! |= 1 << (doc & 7);
  return [bits, eligible.length];
}

/** The docs that are eligible; undefined when they are more than `most`. */
function upTo(eligible: Uint8Array, most: number): number[] | undefined {
  const docs: number[] = [];
  for (let doc = 0; doc < eligible.length; doc++) {
    if (!eligible[doc]) continue;
    if (docs.length === most) return undefined;
    docs.push(doc);
  }
  return docs;
}
