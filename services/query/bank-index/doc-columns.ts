import { memoryOrigins } from '#events/version-fields.js';
import type { DocRow } from '#views/rows.js';
import {
  type HashNumbers,
  hashNumbers,
  type IdNumbers,
  idNumbers,
  type TextNumbers,
  textNumbers,
} from './id-numbers.js';
import { defaultConfidence, defaultImportance, trustByOrigin } from './unsaid.js';

/**
 * What a doc is weighed by: 71 bytes and 4 for each name in it, and of each memory, session, turn and name in the bank 20 to 40. Of a number that
 * no row came for, it is as of a doc that says nothing.
 *
 * A turn is a memory in a session: a version that is written there again stands where the first one stood. So it keeps what was said before
 * it, and after it.
 */
export interface DocColumns {
  /** The number of its session; -1 for none. */
  session: Int32Array;
  /** The number of its turn; 0 for none. */
  turn: Int32Array;
  /** The doc of the same turn before it; -1 for none. */
  revises: Int32Array;
  /** What was said before it, as it read when the doc was written: a lower doc of its session, of another memory; -1 for none. */
  before: Int32Array;
  /**
   * What was said after it: as it read when the doc was written, else as it was written first; -1 for none. Later docs may change it: of a
   * moment that knew fewer docs, one at or above their number is none.
   */
  after: Int32Array;
  /** The newest doc whose `before` is this one, and the next older doc with the same `before`; -1 for none. As `after`, of later docs. */
  leads: Int32Array;
  alsoLed: Int32Array;
  /** The number of its memory; -1 where no row came. */
  memory: Int32Array;
  /** Of its memory: 1, 2, … */
  version: Int32Array;
  /** When it happened, else when it was recorded; milliseconds. */
  at: Float64Array;
  /** The number of who says it, from 1; 0 for nobody. */
  speaker: Int32Array;
  /** Bits of `docFlags`. */
  flags: Uint8Array;
  importance: Float32Array;
  confidence: Float32Array;
  trust: Float32Array;
  /** Its place in `memoryOrigins`. */
  origin: Uint8Array;
  /** Distinct terms of its key, 255 at most; 0 without one. */
  keyLength: Uint8Array;
  /** Where its names end in `entities`, which begin where those of the doc before it end. */
  entitiesEnd: Int32Array;
  /** Numbers of names, of one doc behind those of the other. */
  entities: Int32Array;
  /** By keyed hashes (`speakerTerm`), from 1. */
  readonly speakers: HashNumbers;
  /** By keyed hashes (`fieldTerm` of `entity`), from 1. */
  readonly entityNumbers: HashNumbers;
  readonly memories: TextNumbers;
  readonly sessions: TextNumbers;
  /** By numbers of memory and session, from 1. */
  readonly turns: IdNumbers;
  /** Of each turn its newest doc. */
  newest: Int32Array;
  /** Of each session the number of its last turn; 0 for none. */
  lastTurn: Int32Array;
}

export function emptyDocColumns(): DocColumns {
  return {
    session: new Int32Array(0),
    turn: new Int32Array(0),
    revises: new Int32Array(0),
    before: new Int32Array(0),
    after: new Int32Array(0),
    leads: new Int32Array(0),
    alsoLed: new Int32Array(0),
    memory: new Int32Array(0),
    version: new Int32Array(0),
    at: new Float64Array(0),
    speaker: new Int32Array(0),
    flags: new Uint8Array(0),
    importance: new Float32Array(0),
    confidence: new Float32Array(0),
    trust: new Float32Array(0),
    origin: new Uint8Array(0),
    keyLength: new Uint8Array(0),
    entitiesEnd: new Int32Array(0),
    entities: new Int32Array(0),
    speakers: hashNumbers(),
    entityNumbers: hashNumbers(),
    memories: textNumbers(),
    sessions: textNumbers(),
    turns: idNumbers(),
    newest: new Int32Array(0),
    lastTurn: new Int32Array(0),
  };
}

/** Numbers of the names that a doc is about, each once. */
export function entityNumbersOf({ entities, entitiesEnd }: DocColumns, doc: number): Int32Array {
  return entities.subarray(doc === 0 ? 0 : entitiesEnd[doc - 1]!, entitiesEnd[doc]!);
}

/** @param from how many docs are there; rows come in the order of their docs, each once */
export function putDocFields(columns: DocColumns, row: DocRow, from: number): void {
  const { doc } = row;
  columns.version[doc] = row.version;
  columns.at[doc] = row.at;
  columns.flags[doc] = row.flags;
  columns.importance[doc] = row.importance ?? defaultImportance;
  columns.confidence[doc] = row.confidence ?? defaultConfidence;
  columns.trust[doc] = row.trust ?? trustByOrigin[row.origin];
  columns.origin[doc] = memoryOrigins.indexOf(row.origin);
  columns.keyLength[doc] = Math.min(row.keyLength, 255);
  if (row.speaker !== undefined) columns.speaker[doc] = columns.speakers.add(row.speaker);
  columns.memory[doc] = columns.memories.add(row.memoryId);
  if (row.sessionId !== undefined) joinSession(columns, doc, columns.sessions.add(row.sessionId));
  putEntities(columns, row, from);
}

function joinSession(columns: DocColumns, doc: number, session: number): void {
  const known = columns.turns.size;
  const turn = columns.turns.add(columns.memory[doc]!, session);
  if (turn >= columns.newest.length) columns.newest = grown(columns.newest, turn, -1);
  if (session >= columns.lastTurn.length) columns.lastTurn = grown(columns.lastTurn, session, 0);
  const { before, after, newest, lastTurn } = columns;
  columns.session[doc] = session;
  columns.turn[doc] = turn;
  if (turn <= known) {
    const revised = newest[turn]!;
    columns.revises[doc] = revised;
    before[doc] = asItReads(columns, before[revised]!);
    after[doc] = asItReads(columns, after[revised]!);
  } else {
    const last = lastTurn[session]! > 0 ? newest[lastTurn[session]!]! : -1;
    before[doc] = last;
    for (let at = last; at >= 0 && after[at] === -1; at = columns.revises[at]!) after[at] = doc;
    lastTurn[session] = turn;
  }
  newest[turn] = doc;
  const ahead = before[doc]!;
  if (ahead < 0) return;
  columns.alsoLed[doc] = columns.leads[ahead]!;
  columns.leads[ahead] = doc;
}

/** The newest doc of the turn that a doc is of. */
function asItReads({ newest, turn }: DocColumns, doc: number): number {
  return doc < 0 ? -1 : newest[turn[doc]!]!;
}

function putEntities(columns: DocColumns, { doc, entities }: DocRow, from: number): void {
  let end = from === 0 ? 0 : columns.entitiesEnd[from - 1]!;
  for (let missing = from; missing < doc; missing++) columns.entitiesEnd[missing] = end;
  if (end + entities.length > columns.entities.length)
    columns.entities = grown(columns.entities, end + entities.length, 0);
  for (const entity of entities) columns.entities[end++] = columns.entityNumbers.add(entity);
  columns.entitiesEnd[doc] = end;
}

/** Makes room for so many docs. */
export function roomForDocFields(columns: DocColumns, room: number): void {
  columns.session = copied(columns.session, new Int32Array(room).fill(-1));
  columns.turn = copied(columns.turn, new Int32Array(room));
  columns.revises = copied(columns.revises, new Int32Array(room).fill(-1));
  columns.before = copied(columns.before, new Int32Array(room).fill(-1));
  columns.after = copied(columns.after, new Int32Array(room).fill(-1));
  columns.leads = copied(columns.leads, new Int32Array(room).fill(-1));
  columns.alsoLed = copied(columns.alsoLed, new Int32Array(room).fill(-1));
  columns.memory = copied(columns.memory, new Int32Array(room).fill(-1));
  columns.version = copied(columns.version, new Int32Array(room));
  columns.at = copied(columns.at, new Float64Array(room));
  columns.speaker = copied(columns.speaker, new Int32Array(room));
  columns.flags = copied(columns.flags, new Uint8Array(room));
  columns.importance = copied(columns.importance, new Float32Array(room).fill(defaultImportance));
  columns.confidence = copied(columns.confidence, new Float32Array(room).fill(defaultConfidence));
  columns.trust = copied(columns.trust, new Float32Array(room));
  columns.origin = copied(columns.origin, new Uint8Array(room));
  columns.keyLength = copied(columns.keyLength, new Uint8Array(room));
  columns.entitiesEnd = copied(columns.entitiesEnd, new Int32Array(room));
}

/** Room for `needed` numbers and some more. */
function grown(from: Int32Array, needed: number, empty: number): Int32Array {
  return copied(from, new Int32Array(Math.max(64, Math.ceil((needed + 1) * 1.5))).fill(empty));
}

type Numbers = Int32Array | Float32Array | Float64Array | Uint8Array;

function copied<T extends Numbers>(from: ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}
