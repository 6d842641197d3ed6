import { z } from 'zod';

/**
 * Content as every disk sees it. `f` is the box format, `a` the algorithm, `k` the id of the secret that the content key
 * is derived from, `n` the nonce (96 bits), `c` ciphertext and tag; the last two in base64url.
 */
export const sealedBox = z.strictObject({
  f: z.literal(1),
  a: z.literal('A256GCM'),
  k: z.string(),
  n: z.string(),
  c: z.string(),
});
export type SealedBox = z.infer<typeof sealedBox>;

/** What a box is bound to: opened anywhere else, authentication fails. */
export interface BoxBinding {
  readonly ledger: string;
  readonly bank: string;
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  readonly schema: number;
}

/** Associated data of a box, format 1: the binding's parts, each ended by a line feed (none of them can hold one). */
export function boxAssociatedData(binding: BoxBinding): Uint8Array {
  const { ledger, bank, stream, eventId, type, schema } = binding;
  return Buffer.from(`hl-box-1\n${ledger}\n${bank}\n${stream}\n${eventId}\n${type}\n${schema}\n`, 'utf8');
}
