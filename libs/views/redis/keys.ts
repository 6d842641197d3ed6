/**
 * Names in Redis. What stands in braces decides the slot in a cluster: everything of a bank is in one, so that a script may touch
 * several of its keys. Suffixes are keyed hashes, since a caller may ask for anything in place of an id.
 */
export const keys = {
  /** The last position written to the bank. */
  head: (ledger: string, bank: string) => `${ofBank(ledger, bank)}:head`,
  /** What entries are sealed to: without it, or with another one, none of them opens. */
  mark: (ledger: string, bank: string) => `${ofBank(ledger, bank)}:mark`,
  entry: (ledger: string, bank: string, kind: EntryKind, hash: string) => `${ofBank(ledger, bank)}:${kind}:${hash}`,
  calls: (ledger: string, tokenId: string) => `hl:{${ledger}.token.${tokenId}}:calls`,
};

/** `memory` and `slot`: a memory's current state by id and by key; `version`: one of its versions; `answer`: what a question ranked. */
export type EntryKind = 'memory' | 'slot' | 'version' | 'answer';

function ofBank(ledger: string, bank: string): string {
  return `hl:{${ledger}.${bank}}`;
}
