import { decodeEnvelope } from '#events/envelope.js';
import type { ErasureCompleted } from '#events/erasure-completed.js';
import type { StoredEvent } from '#ledger/ledger.js';
import type { CertificateFile } from './certificate-file.js';

/** The completion of an erasure that an event is; undefined for any other. */
export function completionIn({ type, bytes }: StoredEvent): ErasureCompleted['data'] | undefined {
  return type === 'ErasureCompleted' ? (decodeEnvelope(bytes).data as ErasureCompleted['data']) : undefined;
}

/** In the form of the file that `erase --certificate` writes: a certificate stands in the ledger for good, in the clear. */
export function certificateIn(completed: ErasureCompleted['data']): CertificateFile | undefined {
  const { certificate: text, signature, publicKey } = completed;
  if (text === undefined) return undefined;
  return { text, ...(signature && { signature }), ...(publicKey && { public_key: publicKey }) };
}

/** An erasure that was carried out, and its certificate. */
export interface CompletedErasure {
  readonly erasure: string;
  readonly completedAt: string;
  /** Of those that were erased one by one: of a whole bank none. */
  readonly memories: number;
  /** The bank that was deleted with all that was in it. */
  readonly bank?: string;
  readonly position: string;
  readonly certificate?: CertificateFile;
}

export function completedErasure(event: StoredEvent): CompletedErasure | undefined {
  const completed = completionIn(event);
  if (!completed) return undefined;
  const certificate = certificateIn(completed);
  const { erasureId: erasure, completedAt, memories } = completed;
  const bank = certificate && wholeBank(certificate.text);
  return {
    erasure,
    completedAt,
    memories,
    ...(bank === undefined ? {} : { bank }),
    position: event.position,
    ...(certificate && { certificate }),
  };
}

/** Which bank a certificate says was erased as a whole. What is no certificate says none: that it is not is for others to tell. */
function wholeBank(text: string): string | undefined {
  try {
    const { what } = JSON.parse(text) as { readonly what?: { readonly bank?: unknown } };
    return typeof what?.bank === 'string' ? what.bank : undefined;
  } catch {
    return undefined;
  }
}
