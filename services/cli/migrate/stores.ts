import type { TokenStore } from '#access/token-store.js';
import type { Place } from '#ledger/place.js';
import type { VerifyOptions } from '#ledger/verify-ledger.js';
import type { VaultParts } from '#sealing/unlock.js';

/** All that moves with a ledger, at one of its places. */
export interface Stores {
  readonly place: Place;
  readonly keys: VaultParts;
  readonly tokens: TokenStore;
  /** Where positions have no gaps (verify-ledger.ts). */
  readonly gapBetween?: VerifyOptions['gapBetween'];
  close(): Promise<void>;
}

/** Opens one thing after the other, and closes them all when one of them cannot be opened. */
export async function openedTogether<T>(
  open: (opened: <P extends { close(): Promise<void> }>(part: P) => P) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const parts: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  try {
    const together = await open((part) => {
      parts.push(part);
      return part;
    });
    return { ...together, close };
  } catch (error) {
    await close();
    throw error;
  }
}
