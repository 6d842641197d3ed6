import { createHash } from 'node:crypto';

/** Partitions of a bank's feed and checkpoints, remembered: an id is asked for with every event. */
const known = new Map<string, number>();
const mostKnown = 10_000;

/**
 * The partition that a bank belongs to: 0, 1, …; all events of a bank are in one, so that they stay in order. The first four bytes of
 * SHA-256 of its id, modulo their number. It decides where checkpoints stand: another rule, or another number, is another store.
 */
export function partitionOf(bank: string, partitions: number): number {
  if (partitions === 1) return 0;
  let hash = known.get(bank);
  if (hash === undefined) {
    hash = createHash('sha256').update(bank).digest().readUInt32BE(0);
    if (known.size >= mostKnown) known.clear();
    known.set(bank, hash);
  }
  return hash % partitions;
}
