import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import { decodeEnvelope, encodeEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { type KeysRotated, keysRotated } from '#events/keys-rotated.js';
import { streamName } from '#events/stream-name.js';
import { sealBank } from '#proof/seal-stream.js';
import type { Ledger, StoredEvent } from './ledger.js';

export interface RotationTools {
  now(): number;
  uuid(): string;
  /** Whoever moved the master key. */
  readonly principal: string;
}

/** Others that move the master key may be faster this often, in a row. */
const tries = 50;

/** Not relayed, as the seals are not: nothing that is asked depends on it. */
export function keysStream(ledger: string): string {
  return streamName({ ledger, bank: sealBank, category: 'seal', id: 'keys' });
}

/**
 * Puts on record that a master key epoch is in force; once, whoever comes first, and not when a later one is on record.
 * @returns whether this call did
 */
export async function recordRotation(
  ledger: Ledger,
  tools: RotationTools,
  data: KeysRotated['data'],
): Promise<boolean> {
  const stream = keysStream(ledger.id);
  for (let attempt = 1; ; attempt++) {
    const last = await lastOf(ledger, stream);
    const before = last && decodeEnvelope(last.bytes);
    if (before && (before.data as KeysRotated['data']).epoch >= data.epoch) return false;
    const now = new Date(tools.now()).toISOString();
    const event = encodeEvent({
      v: 1,
      hashAlgorithm,
      id: tools.uuid(),
      ledger: ledger.id,
      bank: sealBank,
      stream,
      revision: last ? last.revision + 1 : 0,
      type: keysRotated.type,
      schema: keysRotated.schema,
      recordedAt: before && before.recordedAt > now ? before.recordedAt : now,
      principal: tools.principal,
      previous: last ? Buffer.from(last.hash).toString('base64url') : null,
      data: keysRotated.data.parse(data),
    });
    try {
      await ledger.append(stream, [event], last ? last.revision : 'no_stream');
      return true;
    } catch (error) {
      if (!isHindsightError(error, 'wrong_expected_revision') || attempt === tries) throw error;
      await sleep(Math.random() * 10);
    }
  }
}

/** The epoch that is on record; undefined where the master key never moved. */
export async function recordedEpoch(ledger: Ledger): Promise<number | undefined> {
  const last = await lastOf(ledger, keysStream(ledger.id));
  return last && (decodeEnvelope(last.bytes).data as KeysRotated['data']).epoch;
}

async function lastOf(ledger: Ledger, stream: string): Promise<StoredEvent | undefined> {
  for await (const event of ledger.readStream(stream, { direction: 'backward', limit: 1 })) return event;
  return undefined;
}
