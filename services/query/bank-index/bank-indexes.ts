import type { Vault } from '#sealing/vault.js';
import { type BankIndex, emptyBankIndex, type OpenedVectors } from './bank-index.js';

/** Banks held in memory; the least recently asked one goes first. */
const heldBanks = 16;

/** The indexes of the banks that were asked last. */
export interface BankIndexes {
  /** @param stamp of the views: another one means that they were rebuilt, and what was read of them is forgotten */
  of(bank: string, stamp: string): BankIndex;
}

/** @param vault that opens vectors */
export function bankIndexes(vault: Vault): BankIndexes {
  let held = new Map<string, BankIndex>();
  let heldStamp = '';
  /** Of those that were forgotten last, until they are asked again. */
  let opened = new Map<string, OpenedVectors | undefined>();
  return {
    of(bank, stamp) {
      if (stamp !== heldStamp) {
        opened = new Map([...held].map(([id, index]) => [id, index.openedVectors]));
        held = new Map();
        heldStamp = stamp;
      }
      const index = held.get(bank) ?? emptyBankIndex(bank, vault, opened.get(bank));
      opened.delete(bank);
      held.delete(bank);
      held.set(bank, index);
      if (held.size > heldBanks) held.delete(held.keys().next().value!);
      return index;
    },
  };
}
