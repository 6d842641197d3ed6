import { type AuditInput, type AuditOutput, type AuditRow, auditPage } from '#contract/audit.js';
import { checkParameters } from '#contract/audit-parameters.js';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import { canonicalJson, type Json } from '#events/canonical.js';
import { subjectHash } from '#events/subject-hash.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { alteredNote, alteredRowsNote } from '../basis/altered.js';
import { heldBack, heldBackSinceNote, watched } from '../basis/held-back.js';
import { openView, type View } from '../basis/open-view.js';
import { findMemory } from '../history/find-memory.js';
import type { QueryDeps } from '../query-deps.js';
import { given } from '../recall/to-item.js';
import type { LatencyWindow } from '../stats/latency-window.js';
import type { Asked, Placed } from './asked-rows.js';
import { belief } from './belief.js';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.js';
import { diff } from './diff.js';
import { shown } from './shown.js';
import { state } from './state.js';
import { events, retroactive, who } from './written.js';

export interface AuditParts {
  readonly deps: QueryDeps;
  readonly indexes: BankIndexes;
  readonly latencies: LatencyWindow;
}

/** What an answer is made of before it is on record. */
interface Found extends Omit<AuditOutput, 'ask' | 'basis' | 'notes'> {
  readonly view: View;
  readonly notes?: readonly string[];
  /** What stays on record besides the parameters. */
  readonly record?: Readonly<Record<string, Json>>;
}

/**
 * Answers an audit with one page of rows, and puts on record that it was asked. A cursor rests on the bases of the page that gave it, so
 * that pages neither overlap nor leave anything out, whatever is written meanwhile.
 * @throws HindsightError invalid_input · invalid_time · what resolving a basis and finding a memory throw · what the ledger throws when
 * the record cannot be written: then nothing is shown
 */
export async function audit(parts: AuditParts, input: AuditInput, caller: Caller): Promise<AuditOutput> {
  checkParameters(input);
  const cursor = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
  const found = await answer(parts, input, caller, cursor);
  const { view, notes: own = [], record, ...rest } = found;
  const memoryId = await namedMemory(view, input);
  await parts.deps.recordAudit(
    {
      ask: input.ask,
      rows: found.rows.length,
      ...given('about', memoryId),
      parameters: canonicalJson({ ...parametersOf(input), ...record, basis: view.basis }),
      subjects: input.subject === undefined ? [] : [subjectHash(view.keys.identityKey, input.subject)],
      ...given('sessionId', input.session_id),
    },
    caller,
  );
  const notes = [
    ...view.notes,
    ...(found.altered_by_erasure ? [input.ask === 'belief' ? alteredNote : alteredRowsNote] : []),
    ...(found.altered_by_quarantine ? [heldBackSinceNote] : []),
    ...own,
  ];
  return { ask: input.ask, ...rest, basis: view.basis, ...(notes.length > 0 ? { notes: [...new Set(notes)] } : {}) };
}

async function answer(
  parts: AuditParts,
  input: AuditInput,
  caller: Caller,
  cursor: Cursor | undefined,
): Promise<Found> {
  if (input.ask === 'belief') return belief(parts, input, caller);
  if (input.ask === 'shown') await parts.deps.catchUpRecalls?.();
  const view = await openView(parts.deps, parts.indexes, laterBasis(input, cursor), caller);
  const memoryId = await namedMemory(view, input);
  const limit = input.limit ?? auditPage.usual;
  const held = watched(heldBack(view, caller));
  const asked = {
    deps: parts.deps,
    view,
    input,
    caller,
    held,
    ...given('memoryId', memoryId),
    after: cursor?.after ?? -1,
    limit,
  };
  const page = async (rows: AsyncIterable<Placed>, from?: string) => {
    const one = await paged(rows, asked, from);
    return { ...one, ...(held.wasWithheld() ? { altered_by_quarantine: true } : {}) };
  };
  switch (input.ask) {
    case 'state': {
      const { rows, altered } = await state(asked);
      return { view, ...(await page(rows)), ...(altered ? { altered_by_erasure: true } : {}) };
    }
    case 'diff': {
      const earlier = await openView(parts.deps, parts.indexes, earlierBasis(input, cursor), caller);
      if (earlier.seq > view.seq || earlier.point.at > view.point.at)
        throw new HindsightError(
          'invalid_input',
          'from lies after to: give the earlier basis as from and the later one as to.',
          { parameter: 'from' },
        );
      const { rows, altered } = await diff(asked, earlier);
      return {
        view,
        ...(await page(rows, earlier.basis)),
        from_basis: earlier.basis,
        ...(altered ? { altered_by_erasure: true } : {}),
      };
    }
    case 'who':
      return { view, ...(await page(who(asked))) };
    case 'retroactive':
      return { view, ...(await page(retroactive(asked))) };
    case 'events':
      return { view, ...(await page(events(asked))) };
    case 'shown':
      return { view, ...(await page(shown(asked))) };
  }
}

async function paged(
  rows: AsyncIterable<Placed>,
  { input, view, limit }: Asked,
  from: string | undefined,
): Promise<{ rows: AuditRow[]; next?: string }> {
  const page: Placed[] = [];
  for await (const row of rows) {
    if (page.length < limit) page.push(row);
    else {
      const after = page.at(-1)!.place;
      return {
        rows: page.map((each) => each.row),
        next: encodeCursor({ basis: view.basis, ...given('from', from), after }, input),
      };
    }
  }
  return { rows: page.map((each) => each.row) };
}

async function namedMemory(view: View, { memory_id, key }: AuditInput): Promise<string | undefined> {
  return memory_id === undefined && key === undefined
    ? undefined
    : findMemory(view, { ...given('memory_id', memory_id), ...given('key', key) });
}

/** What a page rests on: the basis of the page before, else the one that is given, else now. */
function laterBasis({ ask, to, as_of, basis }: AuditInput, cursor: Cursor | undefined) {
  if (cursor) return { basis: cursor.basis };
  if (ask !== 'diff' || to === undefined) return { ...given('as_of', as_of), ...given('basis', basis) };
  if (as_of !== undefined || basis !== undefined)
    throw new HindsightError(
      'invalid_input',
      'to and as_of or basis were given: each says which is the later basis. Give one of them.',
      {
        parameter: 'to',
      },
    );
  return basisOrTime(to);
}

function earlierBasis({ from }: AuditInput, cursor: Cursor | undefined) {
  if (cursor?.from !== undefined) return { basis: cursor.from };
  if (from === undefined)
    throw new HindsightError('invalid_input', 'from is missing: diff takes the earlier basis, or a time.', {
      parameter: 'from',
    });
  return basisOrTime(from);
}

function basisOrTime(given: string): { basis: string } | { as_of: string } {
  return /^b\d+\./.test(given) ? { basis: given } : { as_of: given };
}

/**
 * What stays on record of the question. Not its words: what belief serves is on record as recalls, which an erasure finds; and a memory is
 * named by its id.
 */
function parametersOf({ query: _query, key: _key, cursor, ...rest }: AuditInput): Record<string, Json> {
  const kept = { ...rest, ...(cursor === undefined ? {} : { page: 'next' }) };
  return JSON.parse(JSON.stringify(kept), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as Record<string, Json>;
}
