import { createHash } from 'node:crypto';
import type { Sources } from '#contract/sources.js';
import type { AnyEvent } from '#events/catalogue.js';
import type { EncodedEvent } from '#events/envelope.js';
import { uuidV8 } from '#events/memory-identity.js';
import { memoryStream, streamName } from '#events/stream-name.js';
import { salted } from '#sealing/content-key.js';
import { bareEvent, type ContentKey, type EventContext, sealEvent } from '#sealing/seal-event.js';
import type { Vault } from '#sealing/vault.js';
import { bankStream } from '../banks/bank-life.js';
import { eventId, partsOf } from './order.js';

const nonceBytes = 12;

/** What of a bank is to be put on record as erased, since its keys are gone. */
export interface KeylessOfBank {
  readonly bank: string;
  readonly memories: readonly string[];
  /** Keyed hashes. */
  readonly subjects: readonly string[];
  /** The whole bank, whose own keys are gone. */
  readonly isGone: boolean;
}

export interface ErasingKeyless {
  readonly ledger: string;
  readonly vault: Vault;
  readonly sources: Pick<Sources, 'now' | 'random'>;
  readonly principal: string;
  /** What all of it belongs to: done again for the same, the events have the same ids. */
  readonly cause: string;
  /** Why; sealed with the order. */
  readonly reason: string;
}

/**
 * The events of an erasure of what has no key any more: an order, and what ends people, memories and banks in their streams. Each is as if
 * it were the first of its stream: whoever stores them gives them their places. The order is completed by whoever opens the ledger next.
 */
export async function* keylessErased(
  all: Iterable<KeylessOfBank>,
  tools: ErasingKeyless,
): AsyncGenerator<EncodedEvent> {
  for (const each of all) yield* ofBank(each, tools);
}

async function* ofBank(
  { bank, memories, subjects, isGone }: KeylessOfBank,
  { ledger, vault, sources, principal, cause, reason }: ErasingKeyless,
): AsyncGenerator<EncodedEvent> {
  const erasureId = uuidV8(createHash('sha256').update(`hl-erasure-keyless\n${ledger}\n${cause}\n${bank}`).digest());
  const recordedAt = new Date(sources.now()).toISOString();
  const context = (stream: string, what: string): EventContext => ({
    id: eventId(erasureId, what),
    ledger,
    bank,
    stream,
    revision: 0,
    previous: null,
    recordedAt,
    principal,
    tool: 'restore',
  });
  const people = isGone ? [] : subjects;
  for (const subject of people) {
    const stream = streamName({ ledger, bank, category: 'subject', id: subject });
    const event = { type: 'SubjectErased', data: { erasureId, subject }, content: {} } as const;
    yield bareEvent(event, context(stream, `subject/${subject}`));
  }
  const stream = bankStream(ledger, bank);
  const parts = partsOf(isGone ? [] : memories);
  const key = isGone ? lostKey(sources) : await orderKey(vault, bank);
  for (const [at, part] of parts.entries()) {
    const event: AnyEvent = {
      type: 'ErasureOrdered',
      data: {
        erasureId,
        part: at + 1,
        parts: parts.length,
        memories: part,
        subjects: [...people],
        fingerprints: false,
      },
      content: { reason },
    };
    yield sealEvent(event, context(stream, `order/${at + 1}`), key, sources.random(nonceBytes));
  }
  if (isGone) {
    yield bareEvent({ type: 'BankErased', data: { erasureId }, content: {} }, context(stream, 'bank'));
    return;
  }
  for (const memoryId of memories) {
    const event: AnyEvent = { type: 'MemoryErased', data: { memoryId, erasureId }, content: {} };
    yield bareEvent(event, context(memoryStream(ledger, bank, memoryId), `memory/${memoryId}`));
  }
}

async function orderKey(vault: Vault, bank: string): Promise<ContentKey> {
  const { id, secret } = await vault.freshSecret();
  return { id, key: await salted(vault, bank, secret) };
}

/** Of a bank without keys nothing can be sealed so that it opens: the order is as that of any deleted bank is, closed. */
function lostKey({ random }: Pick<Sources, 'random'>): ContentKey {
  return { id: `${Buffer.from(random(8)).toString('base64url')}.0`, key: random(32) };
}
