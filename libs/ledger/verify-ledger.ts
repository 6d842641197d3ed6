import { HindsightError } from '#contract/errors.js';
import { eventHash, eventHashText } from '#events/hash.js';
import { ledgerSealed } from '#events/ledger-sealed.js';
import type { RootStatement } from '#proof/root.js';
import { type RootCheck, rootCheck, type SealsFound } from '#proof/root-check.js';
import { sealOf, sealStream } from '#proof/seal-stream.js';
import { glance, type Link } from './glance.js';
import type { Ledger, Position, StoredEvent } from './ledger.js';

/** What is wrong with one event. */
export interface Fault {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly eventId: string;
  /** One sentence for a person. */
  readonly what: string;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  readonly bytes: number;
  readonly head: Position | undefined;
  readonly firstFault: Fault | undefined;
  /** The first fault of each broken stream, in the ledger's order. */
  readonly broken: readonly Fault[];
  /** Stretches of positions that no event could be read from: damaged pages, or rows that were taken out. */
  readonly missing: readonly { readonly first: Position; readonly last: Position }[];
}

/** What the whole of a ledger shows, its seals included. */
export interface LedgerVerification extends Verification {
  readonly seals: SealsFound;
}

export interface VerifyOptions {
  /** A root that was exported from this ledger: the ledger has to begin with what it covers. */
  readonly against?: Pick<RootStatement, 'size' | 'root'>;
  /** Called now and then with the number of events checked so far. */
  readonly onProgress?: (events: number) => void;
  readonly signal?: AbortSignal;
  /** Called with every event whose bytes have the right hash, and waited for: for what else is to be seen in the same pass. */
  readonly alongside?: (event: StoredEvent) => Promise<void>;
  /** For adapters that keep columns which no hash covers and no reader is given: what is wrong with those of an event. */
  readonly strayed?: ((event: StoredEvent) => string | undefined) | undefined;
  /**
   * For adapters whose positions have no gaps: the positions missing between two events that follow each other, before the first
   * (`before` undefined) or after the last (`after` undefined); undefined where nothing is.
   */
  readonly gapBetween?: (
    before: Position | undefined,
    after: Position | undefined,
  ) => { readonly first: Position; readonly last: Position } | undefined;
}

interface StreamState {
  revision: number;
  /** As a text: a buffer has memory of its own outside of the heap, and there is one for each stream. */
  hash: string;
  recordedAt: string;
  broken: boolean;
}

/** The parts of an envelope that are held against the stored columns and the stream before it. */
interface Chained {
  readonly id?: unknown;
  readonly ledger?: unknown;
  readonly stream?: unknown;
  readonly revision?: unknown;
  readonly type?: unknown;
  readonly recordedAt?: unknown;
  readonly previous?: unknown;
  readonly data?: unknown;
}

const progressEvery = 2000;

/** Checks events one by one, in the ledger's order from its beginning. */
export interface ChainCheck {
  /** @returns the number of events so far */
  take(event: StoredEvent): number;
  /** What was found in all that was taken. */
  found(): Verification;
}

/** @param roots grows with it, and is shown the seals */
export function chainCheck(
  ledger: string,
  gapBetween?: VerifyOptions['gapBetween'],
  roots?: RootCheck,
  strayed?: VerifyOptions['strayed'],
): ChainCheck {
  const sealed = sealStream(ledger);
  const streams = new Map<string, StreamState>();
  const broken: Fault[] = [];
  const missing: { first: Position; last: Position }[] = [];
  let head: Position | undefined;
  let events = 0;
  let bytes = 0;
  return {
    take(event) {
      const gap = gapBetween?.(head, event.position);
      if (gap) missing.push(gap);
      head = event.position;
      bytes += event.bytes.byteLength;

      const before = streams.get(event.stream);
      const hash = eventHashText(event.bytes);
      const stored = textOf(event.hash, 'latin1');
      const link: Partial<Link> | undefined = hash === stored ? glance(ledger, event) : undefined;
      const envelope = link ?? envelopeOf(event.bytes);
      const what =
        hash === stored
          ? ((link ? undefined : mismatch(ledger, event, envelope)) ??
            breach(event, envelope, before) ??
            strayed?.(event))
          : 'its bytes do not have the hash that is stored with them';
      roots?.take(hash);
      if (roots && event.stream === sealed && event.type === ledgerSealed.type)
        roots.seal(event.position, sealOf(envelopeOf(event.bytes)?.data));
      if (what && !before?.broken) {
        const { position, stream, revision, id } = event;
        broken.push({ position, stream, revision, eventId: id, what });
      }
      const state = before ?? { revision: 0, hash: '', recordedAt: '', broken: false };
      if (!before) streams.set(event.stream, state);
      state.revision = event.revision;
      state.hash = stored;
      if (hash === stored && typeof envelope?.recordedAt === 'string') state.recordedAt = envelope.recordedAt;
      state.broken ||= what !== undefined;
      events += 1;
      return events;
    },
    found() {
      const tail = gapBetween?.(head, undefined);
      const gaps = tail ? [...missing, tail] : missing;
      return { events, streams: streams.size, bytes, head, firstFault: broken[0], broken, missing: gaps };
    },
  };
}

/**
 * Reads the whole ledger once and checks of every event: its hash, that the envelope says what the store's columns say, that
 * it follows the event before it in its stream (revision and previous hash), and that recorded time does not run back there; and of
 * every seal, that what it covers is what stands there.
 *
 * The envelope is not validated against its schema, which would take as long as all the rest: bytes with the right hash are the bytes
 * that were written, and readers validate what they open.
 */
export async function verifyLedger(ledger: Ledger, options: VerifyOptions = {}): Promise<LedgerVerification> {
  const roots = rootCheck(ledger.id, options.against);
  const check = chainCheck(ledger.id, options.gapBetween, roots, options.strayed);
  let events = 0;
  for await (const event of ledger.readAll()) {
    events = check.take(event);
    if (options.alongside && Buffer.compare(eventHash(event.bytes), event.hash) === 0) await options.alongside(event);
    if (events % progressEvery !== 0) continue;
    options.onProgress?.(events);
    if (options.signal?.aborted) throw new HindsightError('internal', `Stopped after ${events} events.`);
  }
  options.onProgress?.(events);
  return { ...check.found(), seals: roots.found() };
}

function mismatch(ledger: string, event: StoredEvent, envelope: Chained | undefined): string | undefined {
  if (!envelope) return 'its bytes are no JSON object';
  if (envelope.ledger !== ledger) return `it was written for ledger ${envelope.ledger}, and this is ${ledger}`;
  for (const name of ['id', 'stream', 'revision', 'type'] as const) {
    if (envelope[name] !== event[name]) {
      return `its ${name} is stored as ${event[name]}, but its bytes say ${String(envelope[name])}`;
    }
  }
  return undefined;
}

/** What is wrong between an event and the one before it in its stream. */
function breach(
  event: StoredEvent,
  envelope: Chained | undefined,
  before: StreamState | undefined,
): string | undefined {
  const expected = before ? before.revision + 1 : 0;
  if (event.revision < expected)
    return `it is at revision ${event.revision}, and an event at ${before!.revision} stands before it: it is there twice, or out of order`;
  if (event.revision > expected) {
    return before
      ? `it is at revision ${event.revision}, and the event before it at ${before.revision}: something between is gone`
      : `its stream begins at revision ${event.revision}: what came before is gone`;
  }
  const previous = before ? Buffer.from(before.hash, 'latin1').toString('base64url') : null;
  if (envelope?.previous !== previous) return 'it was not written after the event that now stands before it';
  if (typeof envelope.recordedAt !== 'string' || envelope.recordedAt < (before?.recordedAt ?? '')) {
    return `its recorded time ${String(envelope.recordedAt)} lies before that of the event before it`;
  }
  return undefined;
}

function envelopeOf(bytes: Uint8Array): Chained | undefined {
  try {
    const parsed: unknown = JSON.parse(textOf(bytes, 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array, encoding: 'utf8' | 'latin1'): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}
