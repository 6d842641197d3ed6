import { eachPosting } from '#views/postings.js';
import type { Row } from '#views/table.js';
import type { Views } from '#views/views.js';
import type { Masking } from '../masking.js';

type Tables = ReadonlyMap<string, readonly Row[]>;

/**
 * All rows of the projections in use, by table, as far as two ledgers with the same commands must agree: ids by chance, hashes, boxes
 * and the clock masked, and the numbers of events and versions replaced by what they are of, since EventStoreDB decides in which order
 * it stores what one call wrote to several memories.
 */
export async function canonicalViews(views: Views, masks: Masking): Promise<Record<string, string[]>> {
  const tables = await tablesOf(views);
  // No answer told the ids of imported memories, which follow from keys: in their own order they get the same names.
  for (const { memory_id } of [...(tables.get('memories') ?? [])].sort(byMemory)) masks.text(String(memory_id));
  const { event, doc, recall } = naming(tables, masks);
  const said = (name: string, row: Row): unknown => {
    if (name === 'postings') return { bank: row.bank, term: row.term, docs: postingsOf(row, doc) };
    const cells = Object.entries(row).map(([column, cell]) => {
      if (cell === null || masked(name).test(column)) return [column, cell === null ? null : '…'];
      if (/^seq(_from|_to)?$/.test(column)) return [column, event(row.bank, cell)];
      if (column === 'doc') return [column, doc(row.bank, cell)];
      if (column === 'recall_no') return [column, recall(row.bank, cell)];
      return [column, typeof cell === 'number' && cell > 1e12 ? masks.text(iso(cell)) : masks.masked(cell)];
    });
    return Object.fromEntries(cells);
  };
  return Object.fromEntries(
    [...tables].map(([name, rows]) => [name, rows.map((row) => JSON.stringify(said(name, row))).sort()]),
  );
}

/** What follows from chance, from a clock or from a ledger's own positions. */
const masked = (table: string) =>
  table === 'recalls'
    ? /^(position|basis|stream|event_id|secret_id|box|recorded_at|asked_at|took_ms)$/
    : /^(position|hash|box|event_id)$/;

const byMemory = (one: Row, other: Row) => (String(one.memory_id) < String(other.memory_id) ? -1 : 1);

async function tablesOf(views: Views): Promise<Tables> {
  const tables = new Map<string, Row[]>();
  for (const generation of await views.generations()) {
    if (!generation.active) continue;
    const { rows } = await views.dump(generation);
    for await (const { table, row } of rows) {
      const known = tables.get(table.name);
      if (known) known.push(row);
      else tables.set(table.name, [row]);
    }
  }
  return tables;
}

/** What events and versions are of, by their numbers in the bank. */
function naming(tables: Tables, masks: Masking) {
  const events = new Map<string, string>();
  const docs = new Map<string, string>();
  for (const name of ['bank_events', 'versions', 'changes'])
    for (const { bank, seq, doc, type, memory_id, version, recorded_at } of tables.get(name) ?? []) {
      const named = masks.text(`${type} ${memory_id ?? bank} ${version ?? ''} ${recorded_at}`);
      events.set(`${bank} ${seq}`, named);
      if (doc !== undefined) docs.set(`${bank} ${doc}`, named);
    }
  // Records of answers are stored in the background: in which order, no answer tells.
  const recalls = new Map<string, string>();
  for (const { bank, recall_no, recall_id } of tables.get('recalls') ?? [])
    recalls.set(`${bank} ${recall_no}`, masks.text(String(recall_id)));
  const find = (known: ReadonlyMap<string, string>) => (bank: unknown, number: unknown) => {
    const found = known.get(`${bank} ${number}`);
    if (found === undefined) throw new Error(`Nothing in the views has the number ${number} of bank ${bank}.`);
    return found;
  };
  return { event: find(events), doc: find(docs), recall: find(recalls) };
}

function postingsOf({ bank, block, bytes }: Row, doc: (bank: unknown, number: unknown) => string): string[] {
  const found: string[] = [];
  eachPosting(block as number, bytes as Uint8Array, (number, times) => found.push(`${doc(bank, number)} × ${times}`));
  return found.sort();
}

const iso = (time: number) => new Date(time).toISOString();
