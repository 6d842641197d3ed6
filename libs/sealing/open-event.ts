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
 * @throws UnknownEventError · ZodError · HindsightError key_not_found when its secret is gone · Error when the box was tampered with
 */
export async function openEvent(vault: Vault, bytes: Uint8Array): Promise<OpenedEvent> {
  const envelope = decodeEnvelope(bytes);
  const content =
    envelope.box && (await openBox(vault, { ...envelope, eventId: envelope.id }, envelope.box, envelope.subjects));
  return { envelope, event: readEvent(envelope, content) };
}

/** The content of a box. @throws HindsightError key_not_found · Error when authentication fails */
export async function openBox(
  vault: Vault,
  binding: BoxBinding,
  box: SealedBox,
  subjects: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const key = await contentKeyOf(vault, binding.bank, box.k, subjects);
  if (!key)
    throw new HindsightError('key_not_found', `The key ${box.k} of event ${binding.eventId} is not in the key store.`);
  return JSON.parse(Buffer.from(unseal(box, binding, key)).toString('utf8')) as Record<string, unknown>;
}

function unseal(box: SealedBox, binding: BoxBinding, key: Uint8Array): Uint8Array {
  const sealed = Buffer.from(box.c, 'base64url');
  const tagAt = sealed.length - 16;
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(box.n, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(boxAssociatedData(binding));
  decipher.setAuthTag(sealed.subarray(tagAt));
  return Buffer.concat([decipher.update(sealed.subarray(0, tagAt)), decipher.final()]);
}
