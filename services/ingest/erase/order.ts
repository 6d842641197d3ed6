import { createHash } from 'node:crypto';
import type { Caller } from '#contract/caller.js';
import { isHindsightError } from '#contract/errors.js';
import type { AnyEvent, BankEvent } from '#events/catalogue.js';
import { decodeEnvelope, type EncodedEvent } from '#events/envelope.js';
import type { ErasureCompleted } from '#events/erasure-completed.js';
import { uuidV8 } from '#events/memory-identity.js';
import { streamName } from '#events/stream-name.js';
import { readEvent } from '#events/upcast.js';
import type { Ledger } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import { bareEvent, type EventContext } from '#sealing/seal-event.js';
import { bankStream } from '../banks/bank-life.js';
import { sealChange } from '../commit/seal-change.js';
import type { ErasingDeps } from './erasing-deps.js';
import { appendNext } from './next-events.js';

/** Ids of one part of an order: 40 bytes each, well within one append. */
const idsOfPart = 4_000;

/** An erasure as the ledger holds it: whoever finds it goes on with it. */
export interface Order {
  readonly bank: string;
  readonly erasureId: string;
  readonly memories: readonly string[];
  /** The latest version of each memory as it was shown; of a memory that is not here, all goes. */
  readonly versions: ReadonlyMap<string, number>;
  /** Keyed hashes. */
  readonly subjects: readonly string[];
  readonly fingerprints: boolean;
  /** `none`: no copy of the keys is wanted when they are destroyed. */
  readonly keyCopy?: 'none' | undefined;
  /** The whole bank goes. */
  readonly ofBank: boolean;
  /** Of the first part. */
  readonly by: Pick<Caller, 'principal' | 'agent' | 'tool'>;
  readonly orderedAt: string;
  readonly position: string;
  /** Secrets of the order's own boxes. Those of an order about a person are destroyed with the rest, in one step: while they are there, nothing was destroyed. */
  readonly secrets: readonly string[];
  /** Names of the person; absent once the order cannot be opened any more. */
  readonly names?: readonly string[];
  readonly completed?: ErasureCompleted['data'];
}

/** What is to be put on record. */
export interface Ordered {
  readonly erasureId: string;
  readonly memories: readonly string[];
  /** The latest version of each, where what is written later stays. */
  readonly versions?: readonly number[] | undefined;
  readonly subjects: readonly string[];
  readonly names: readonly string[];
  readonly fingerprints: boolean;
  readonly reason: string;
  readonly ofBank: boolean;
}

/** Puts an order on record, wholly or not at all; once. */
export async function placeOrder(deps: ErasingDeps, caller: Caller, ordered: Ordered): Promise<void> {
  const { ledger, vault, sources } = deps;
  const { bank } = caller;
  const { erasureId, subjects, fingerprints, ofBank } = ordered;
  const parts = partsOf(ordered.memories);
  const now = sources.now;
  for (const subject of subjects) {
    const stream = streamName({ ledger: ledger.id, bank, category: 'subject', id: subject });
    await appendNext({ ledger, now }, stream, async (held, place) => {
      const id = eventId(erasureId, `subject/${subject}`);
      if (held.some((each) => each.id === id)) return [];
      const event = { type: 'SubjectErased', data: { erasureId, subject }, content: {} } as const;
      return [bareEvent(event, { id, ledger: ledger.id, bank, stream, ...place(), ...byOf(caller) })];
    });
  }
  const stream = bankStream(ledger.id, bank);
  const secret = await vault.freshSecret();
  // Parts one by one: all of them in one append could be too much for it.
  for (const [at, memories] of parts.entries()) {
    const from = at * idsOfPart;
    const versions = ordered.versions?.slice(from, from + idsOfPart);
    await appendNext({ ledger, now }, stream, async (held, place) => {
      const id = eventId(erasureId, `order/${at + 1}`);
      if (held.some((each) => each.id === id || each.type === 'BankErased')) return [];
      const event: AnyEvent = {
        type: 'ErasureOrdered',
        data: {
          erasureId,
          part: at + 1,
          parts: parts.length,
          memories,
          versions,
          subjects: [...subjects],
          fingerprints,
          keyCopy: vault.keyCopy,
        },
        content: {
          reason: ordered.reason,
          names: at === 0 && ordered.names.length ? [...ordered.names] : undefined,
        },
      };
      const where = { ledger: ledger.id, bank, stream, ...place() };
      const { encoded } = await sealChange({ vault, sources }, event, where, byOf(caller), { id }, secret);
      if (!ofBank || at + 1 < parts.length) return [encoded];
      const ended: EventContext = {
        ...where,
        ...place(encoded),
        id: eventId(erasureId, 'bank'),
        ...byOf(caller),
      };
      return [encoded, bareEvent({ type: 'BankErased', data: { erasureId }, content: {} }, ended)];
    });
  }
}

/** The orders of a bank by id, those that stand: all of their parts are there. */
export async function ordersOf(
  { ledger, vault }: Pick<ErasingDeps, 'ledger' | 'vault'>,
  bank: string,
): Promise<Map<string, Order>> {
  const parts = new Map<string, Order & { readonly missing: number }>();
  for await (const stored of ledger.readStream(bankStream(ledger.id, bank))) {
    const envelope = decodeEnvelope(stored.bytes);
    const event = readEvent(envelope, undefined) as BankEvent;
    if (event.type === 'BankCreated' || event.type === 'BankConfigured') continue;
    const { erasureId } = event.data;
    const known = parts.get(erasureId);
    switch (event.type) {
      case 'ErasureOrdered': {
        const { memories, versions = [], subjects, fingerprints, keyCopy, parts: all } = event.data;
        const planned = versions.map((version, at) => [memories[at]!, version] as const);
        parts.set(erasureId, {
          bank,
          erasureId,
          subjects,
          fingerprints,
          keyCopy,
          ofBank: false,
          by: byOf(envelope),
          orderedAt: envelope.recordedAt,
          position: stored.position,
          ...known,
          memories: [...(known?.memories ?? []), ...memories],
          versions: new Map([...(known?.versions ?? []), ...planned]),
          secrets: [...(known?.secrets ?? []), ...(envelope.box ? [envelope.box.k] : [])],
          missing: (known?.missing ?? all) - 1,
          ...(known ? {} : await namesIn(vault, stored.bytes)),
        });
        break;
      }
      case 'BankErased':
        if (known) parts.set(erasureId, { ...known, ofBank: true });
        break;
      case 'ErasureCompleted':
        if (known) parts.set(erasureId, { ...known, completed: event.data });
    }
  }
  return new Map([...parts].filter(([, { missing }]) => missing === 0));
}

async function namesIn(vault: ErasingDeps['vault'], bytes: Uint8Array): Promise<{ names?: readonly string[] }> {
  try {
    const { event } = await openEvent(vault, bytes);
    return event.type === 'ErasureOrdered' && event.content.names ? { names: event.content.names } : {};
  } catch (error) {
    // The order's secret goes with what it orders.
    if (isHindsightError(error, 'key_not_found')) return {};
    throw error;
  }
}

export function partsOf(memories: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < memories.length; from += idsOfPart) parts.push(memories.slice(from, from + idsOfPart));
  return parts.length ? parts : [[]];
}

/** The same at every try, whoever makes it. */
export function eventId(erasureId: string, what: string): string {
  return uuidV8(createHash('sha256').update(`hl-erasure-1\n${erasureId}\n${what}\n`).digest());
}

/** Whose doing it is: whoever ordered it, also where another process goes on. */
export function byOf({ principal, agent, tool }: Pick<Caller, 'principal' | 'agent' | 'tool'>) {
  return {
    principal,
    ...(agent === undefined ? {} : { agent: agent.slice(0, 256).toWellFormed() }),
    ...(tool === undefined ? {} : { tool }),
  };
}

export function encodedFor(
  { ledger }: { readonly ledger: Pick<Ledger, 'id'> },
  order: Order,
  event: AnyEvent,
  context: Pick<EventContext, 'id' | 'stream' | 'revision' | 'previous' | 'recordedAt'>,
): EncodedEvent {
  return bareEvent(event, { ...context, ledger: ledger.id, bank: order.bank, ...order.by });
}
