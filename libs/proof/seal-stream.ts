import { type LedgerSealed, ledgerSealed } from '#events/ledger-sealed.js';
import { streamName } from '#events/stream-name.js';
import { type Frontier, rootOfFrontier } from './merkle-tree.js';
import type { ExportedRoot, RootStatement } from './root.js';
import { toBase64url } from './tree-hash.js';

export type Seal = LedgerSealed['data'];

/** Stands where a bank's id stands in other streams: seals are of all banks. (Ids of banks begin with b and are longer.) */
export const sealBank = 'all';

/** All seals of a ledger are in one stream, so that of two processes that seal at once one is refused. */
export function sealStream(ledger: string): string {
  return streamName({ ledger, bank: sealBank, category: 'seal', id: 'roots' });
}

/** The seal of an envelope's data; undefined where it is none, or its peaks do not make its root. */
export function sealOf(data: unknown): Seal | undefined {
  const parsed = ledgerSealed.data.safeParse(data);
  if (!parsed.success) return undefined;
  const root = rootOfFrontier(frontierOf(parsed.data));
  return root !== undefined && toBase64url(root) === parsed.data.root ? parsed.data : undefined;
}

export function frontierOf({ size, peaks }: Pick<Seal, 'size' | 'peaks'>): Frontier {
  return { size, peaks };
}

export function statementOf(ledger: string, { algorithm, at, head, root, size }: Seal): RootStatement {
  return { algorithm, at, head: head.hash, ledger, root, size };
}

/** What `seal --export` writes. */
export function exportedOf(ledger: string, seal: Seal): ExportedRoot {
  const { signature, publicKey } = seal;
  return { v: 1, ...statementOf(ledger, seal), ...(signature && publicKey ? { signature, publicKey } : {}) };
}
