import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedKernels } from '#understanding/embeddings/shipped-kernels.js';
import { instantiateNow, type WasmMemory } from '#understanding/embeddings/wasm.js';
import type { Columns } from '../../bank-index/columns.js';
import { roomFor } from './scratch.js';

/** What `models/kernels/overview.c` exports; all numbers but those named there are places in its memory. */
interface Kernel {
  readonly memory: WasmMemory;
  start(): number;
  usual(cosines: number, flags: number, mask: number, docs: number, told: number): void;
  ends(numbers: number, mask: number, docs: number, told: number): void;
  near_times(
    at: number,
    mask: number,
    docs: number,
    spans: number,
    count: number,
    year: number,
    fades: number,
    near: number,
  ): void;
  clear_words(sums: number): void;
  mark_term(docs: number, counts: number, places: number, counted: number): void;
  unmark_term(docs: number, places: number, counted: number): void;
  frequencies(
    columns: number,
    docs: number,
    places: number,
    counted: number,
    current: number,
    until: number,
    told: number,
  ): void;
  add_term(
    columns: number,
    sums: number,
    docs: number,
    counts: number,
    places: number,
    counted: number,
    mask: number,
    until: number,
    telling: number,
    weight: number,
    windowWeight: number,
    flat: number,
    slope: number,
    windowSlope: number,
  ): void;
  most_of(sums: number, current: number, told: number): void;
  weigh(sight: number, words: number, by: number, docs: number, sums: number, threeBest: number, members: number): void;
  pick(
    sums: number,
    session: number,
    ofSession: number,
    mask: number,
    docs: number,
    bySession: number,
    limit: number,
    best: number,
    scores: number,
  ): number;
}

const pageBytes = 65_536;
/** Of numbers that are handed over. */
export const toldNumbers = 16;
/** Of spans that are asked about, with their years. */
export const spanNumbers = 4_096;

/** Where each kind of number begins, for so many docs and sessions. */
function places(from: number, docs: number, sessions: number) {
  let at = from;
  const room = (bytes: number): number => {
    const place = at;
    at += Math.ceil(bytes / 64) * 64;
    return place;
  };
  return {
    told: room(toldNumbers * 8),
    textColumns: room(64),
    wordSums: room(64),
    sights: room(64),
    scale: room(toldNumbers * 8),
    spans: room(spanNumbers * 8),
    session: room(docs * 4),
    flags: room(docs),
    length: room(docs * 4),
    before: room(docs * 4),
    leads: room(docs * 4),
    alsoLed: room(docs * 4),
    scored: room(docs),
    current: room(docs),
    mask: room(docs),
    listed: room(docs),
    own: room(docs * 8),
    window: room(docs * 8),
    found: room(docs * 4),
    counted: room(docs * 2),
    termDocs: room(docs * 4),
    termCounts: room(docs * 2),
    cosines: room(docs * 4),
    rough: room(docs * 8),
    threeBest: room(sessions * 24),
    members: room(sessions * 4),
    means: room(sessions * 8),
    // Of few questions: pages that nobody writes to take no memory.
    at: room(docs * 8),
    near: room(docs * 8),
    best: room(docs * 4),
    scores: room(docs * 8),
    end: at,
  };
}

/** Memory of the kernel, with room for a bank. */
export interface KernelRoom {
  readonly kernel: Kernel;
  readonly docs: number;
  readonly sessions: number;
  readonly at: ReturnType<typeof places>;
}

let held: KernelRoom | undefined;
/** Whose columns are in the kernel's memory, and how many docs they had. */
let loaded: { readonly of: WeakRef<object>; readonly docs: number } | undefined;

/**
 * Room for as many docs and sessions as a bank has. Where there was too little, all is empty again and elsewhere: so it is asked for before a
 * question is compared, and then has room until it is ranked.
 */
export function kernelRoom({ docs, sessions }: Pick<Columns, 'docs' | 'sessions'>): KernelRoom {
  const asked = { docs, sessions: sessions.size + 1 };
  if (held && held.docs >= asked.docs && held.sessions >= asked.sessions) return held;
  const kernel = held?.kernel ?? (instantiateNow(readFileSync(join(shippedKernels(), 'overview.wasm'))) as Kernel);
  const room = {
    docs: Math.max(roomFor(asked.docs), held?.docs ?? 0),
    sessions: Math.max(roomFor(asked.sessions), held?.sessions ?? 0),
  };
  const at = places(kernel.start(), room.docs, room.sessions);
  const lacking = at.end - kernel.memory.buffer.byteLength;
  if (lacking > 0) kernel.memory.grow(Math.ceil(lacking / pageBytes));
  const { buffer } = kernel.memory;
  new Uint8Array(buffer, at.told, at.at - at.told).fill(0);
  new Uint32Array(buffer, at.textColumns, 4).set([at.length, at.before, at.leads, at.alsoLed]);
  new Uint32Array(buffer, at.wordSums, 3).set([at.own, at.window, at.found]);
  new Uint32Array(buffer, at.sights, 6).set([at.cosines, at.flags, at.scored, at.current, at.listed, at.session]);
  loaded = undefined;
  held = { kernel, ...room, at };
  return held;
}

type Held = Pick<Columns, 'docs' | 'sessions' | 'flags' | 'session' | 'length' | 'before' | 'leads' | 'alsoLed'>;

/** The same, with the columns of the bank: once for as long as no doc comes and no other bank is asked. */
export function kernelWith(columns: Held): KernelRoom {
  const room = kernelRoom(columns);
  const { docs, flags, session, length, before, leads, alsoLed } = columns;
  if (loaded?.docs === docs && loaded.of.deref() === columns) return room;
  const { at } = room;
  const { buffer } = room.kernel.memory;
  new Uint8Array(buffer, at.flags, docs).set(flags.subarray(0, docs));
  for (const [place, numbers] of [
    [at.session, session],
    [at.length, length],
    [at.before, before],
    [at.leads, leads],
    [at.alsoLed, alsoLed],
  ] as const)
    new Int32Array(buffer, place, docs).set(numbers.subarray(0, docs));
  loaded = { of: new WeakRef(columns), docs };
  return room;
}

/** Copies a byte of each doc to its place. */
export function putMask({ kernel }: KernelRoom, place: number, mask: Uint8Array): void {
  new Uint8Array(kernel.memory.buffer, place, mask.length).set(mask);
}
