import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import type { StoredEpoch } from './key-store.js';

/** Master keys (32 bytes) by epoch: one in general, two while an erase moves from one to the next. */
export type Keyring = ReadonlyMap<number, Uint8Array>;

/** Where the master key is kept: a file here, a key management service later. */
export interface MasterKey {
  /** For messages: where it is kept. */
  readonly place: string;
  /** Undefined when there is none. @throws HindsightError master_key_wrong when it cannot be read */
  read(): Promise<Keyring | undefined>;
  /** Keeps the first keyring, unless another process did so at the same moment. Durable. Answers with what is kept. */
  create(first: Keyring): Promise<Keyring>;
  /**
   * Keeps this keyring in place of the former one, whole or not at all; durable, and nothing of former ones is left beside it. Only for
   * who holds the key store alone. @throws HindsightError not_writable · disk_full
   */
  replace(keyring: Keyring): Promise<void>;
}

/** The key that wraps bucket keys. The master key itself never encrypts, so that its uses stay apart. */
export function wrappingKeyOf(master: Uint8Array): Uint8Array {
  return createHmac('sha256', master).update('hindsight-ledger/wrap/1').digest();
}

/** What the key store keeps of an epoch: tells a wrong master key at opening, and says nothing about the right one. */
export function keyCheckOf(epoch: number, master: Uint8Array): StoredEpoch {
  return { epoch, check: createHmac('sha256', master).update(`hindsight-ledger/key-check/1\n${epoch}`).digest() };
}

/** Whether the keyring holds the master key of this epoch. */
export function fits(keyring: Keyring, stored: StoredEpoch): boolean {
  const master = keyring.get(stored.epoch);
  if (!master) return false;
  const { check } = keyCheckOf(stored.epoch, master);
  return check.length === stored.check.length && timingSafeEqual(check, stored.check);
}

const firstLine = 'hindsight-ledger master key 1';
const comment = '# Without this key nothing in the ledger opens. Keep a copy of it, apart from copies of the ledger.';

/** The text form, format 1: a line per epoch of number, key (base64url) and the first 8 hex digits of their SHA-256. */
export function encodeKeyring(keyring: Keyring): string {
  const lines = [...keyring].map(([epoch, key]) => keyLine(epoch, Buffer.from(key).toString('base64url')));
  return `${[firstLine, comment, ...lines].join('\n')}\n`;
}

/** @throws HindsightError master_key_wrong when it is cut, damaged or something else; newer_format */
export function decodeKeyring(text: string, place: string): Keyring {
  const [head, ...rest] = text.split(/\r?\n/);
  if (head !== firstLine) {
    if (/^hindsight-ledger master key \d+$/.test(head ?? ''))
      throw new HindsightError('newer_format', `${place} was written by a newer release: ${head}.`, { file: place });
    throw damaged(place, text.length === 0 ? 'is empty' : `does not begin with "${firstLine}"`);
  }
  const keyring = new Map<number, Uint8Array>();
  for (const line of rest) {
    if (line === '' || line.startsWith('#')) continue;
    const [epoch, key] = line.split(' ');
    if (!epoch || !key || line !== keyLine(Number(epoch), key)) throw damaged(place, 'holds a line that is damaged');
    keyring.set(Number(epoch), new Uint8Array(Buffer.from(key, 'base64url')));
  }
  if (keyring.size === 0) throw damaged(place, 'is cut: it holds no key');
  return keyring;
}

function keyLine(epoch: number, key: string): string {
  const sum = createHash('sha256').update(`${epoch} ${key}`).digest('hex').slice(0, 8);
  return `${epoch} ${key} ${sum}`;
}

function damaged(place: string, how: string): HindsightError {
  return new HindsightError('master_key_wrong', `${place} ${how}, so it is no master key of Hindsight Ledger.`, {
    file: place,
  });
}
