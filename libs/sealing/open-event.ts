import { createDecipheriv } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import type { AnyEvent } from '#events/catalogue.js';
import { decodeEnvelope, type Envelope } from '#events/envelope.js';
import { type BoxBinding, boxAssociatedData, type SealedBox } from '#events/sealed-box.js';
import { readEvent } from '#events/upcast.js';
import { contentKeyOf } from './content-key.js';
import type { Vault } from './vault.js';

export interface OpenedEvent {
  readonly envelope: Envelope;
  readonly event: AnyEvent;
}

/**
 * The envelope and the typed, upcast event of stored bytes.
 * @throws UnknownEventError · ZodError · HindsightError key_not_found when a secret is gone · ledger_corrupt when the box was changed
 */
export async function openEvent(vault: Vault, bytes: Uint8Array): Promise<OpenedEvent> {
  const envelope = decodeEnvelope(bytes);
  // Member by member: spreading the envelope takes as long as deciphering.
  const { id: eventId, ledger, bank, stream, type, schema, box, subjects } = envelope;
  const content = box && (await openBox(vault, { ledger, bank, stream, eventId, type, schema }, box, subjects));
  return { envelope, event: readEvent(envelope, content) };
}

/**
 * The content of a box.
 * @throws HindsightError key_not_found when a secret is gone · ledger_corrupt when the box was changed, or stood elsewhere
 */
export async function openBox(
  vault: Vault,
  binding: BoxBinding,
  box: SealedBox,
  subjects: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const key = await contentKeyOf(vault, binding.bank, box.k, subjects);
  if (!key)
    throw new HindsightError('key_not_found', `A key of event ${binding.eventId} is not in the key store.`, {
      eventId: binding.eventId,
      key: box.k,
    });
  return openBoxWith(key, binding, box);
}

/** As `openBox`, with the content key at hand: those of one memory's versions are the same, and derived once. @throws HindsightError ledger_corrupt */
export function openBoxWith(key: Uint8Array, binding: BoxBinding, box: SealedBox): Record<string, unknown> {
  return JSON.parse(unseal(box, binding, key)) as Record<string, unknown>;
}

const tagBytes = 16;

function unseal(box: SealedBox, binding: BoxBinding, key: Uint8Array): string {
  try {
    const sealed = Buffer.from(box.c, 'base64url');
    const tagAt = sealed.length - tagBytes;
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(box.n, 'base64url'), { authTagLength: tagBytes });
    decipher.setAAD(boxAssociatedData(binding));
    decipher.setAuthTag(sealed.subarray(tagAt));
    const text = decipher.update(sealed.subarray(0, tagAt));
    // In this mode `final` adds nothing: it says whether what `update` gave is authentic.
    decipher.final();
    return text.toString('utf8');
  } catch (cause) {
    throw new HindsightError(
      'ledger_corrupt',
      `The content of event ${binding.eventId} does not open: it was changed, or stood elsewhere when it was sealed.`,
      { eventId: binding.eventId, key: box.k },
      { cause },
    );
  }
}
