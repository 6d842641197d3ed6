import { hash } from 'node:crypto';
import { hkdfDeriver } from './hkdf.js';
import { openBytes, sealBytes } from './sealed-bytes.js';
import type { Vault } from './vault.js';

const info = 'hindsight-ledger/vector/1';
const format = 1;
/** Of the head, so that one that was changed is not taken for one whose keys are gone. */
const checkBytes = 4;

/** What a sealed vector's key comes from: destroying any one of them ends it. */
export interface VectorKeys {
  /** Ids of the secrets of all memories whose words were embedded, as they stand in their boxes. */
  readonly secrets: readonly string[];
  /** Keyed hashes of all their subjects. */
  readonly subjects: readonly string[];
}

/** `gone`: a key of it was destroyed. `damaged`: it was changed, or stood elsewhere. */
export type OpenedVector = Uint8Array | 'gone' | 'damaged';

/** Seals and opens vectors of one bank and space. For one piece of work: secrets of subjects are looked up once. */
export interface VectorBoxes {
  /**
   * @param nonce 12 bytes that were never used before: versions of a memory have one key
   * @returns undefined where a key is gone
   */
  seal(doc: number, keys: VectorKeys, packed: Uint8Array, nonce: Uint8Array): Promise<Uint8Array | undefined>;
  /** @throws HindsightError keys_unreachable */
  open(doc: number, sealed: Uint8Array): Promise<OpenedVector>;
}

/** A part of a vector's place, beside the bank and the doc. */
export interface VectorSpaceName {
  readonly model: string;
  readonly dimensions: number;
}

/**
 * A vector says something of all words that it was made of: its key is derived from the secrets of each of their memories, the bank and the
 * subjects (HKDF-SHA-256, as content keys are, and never one of those). Sealed: head (format, ids of secrets, hashes of subjects, check) ‖
 * nonce ‖ ciphertext ‖ tag, bound to bank, space, doc and head.
 */
export function vectorBoxes(
  vault: Pick<Vault, 'secret' | 'knownBankKeys' | 'knownSubjectSecret'>,
  bank: string,
  { model, dimensions }: VectorSpaceName,
): VectorBoxes {
  const place = `hl-vector-1\n${bank}\n${model}\n${dimensions}\n`;
  const associated = (doc: number, head: Uint8Array): string => `${place}${doc}\n${bufferOf(head).toString('latin1')}`;
  const derivers = new Map<string, (secret: Uint8Array) => Uint8Array>();

  async function deriver(subjects: readonly string[]): Promise<((secret: Uint8Array) => Uint8Array) | undefined> {
    const known = derivers.get(subjects.join());
    if (known) return known;
    const bankKeys = await vault.knownBankKeys(bank);
    if (!bankKeys) return undefined;
    const salts = [bankKeys.secret];
    for (const subject of subjects) {
      const secret = await vault.knownSubjectSecret(bank, subject);
      if (!secret) return undefined;
      salts.push(secret);
    }
    const made = hkdfDeriver(Buffer.concat(salts), info);
    derivers.set(subjects.join(), made);
    return made;
  }

  async function keyOf({ secrets, subjects }: VectorKeys): Promise<Uint8Array | undefined> {
    const derive = await deriver(subjects);
    if (!derive || secrets.length === 0) return undefined;
    const first = await vault.secret(secrets[0]!);
    if (!first || secrets.length === 1) return first && derive(first);
    const found = [first];
    for (const id of secrets.slice(1)) {
      const secret = await vault.secret(id);
      if (!secret) return undefined;
      found.push(secret);
    }
    return derive(Buffer.concat(found));
  }

  return {
    async seal(doc, keys, packed, nonce) {
      const ordered = { secrets: [...new Set(keys.secrets)], subjects: [...new Set(keys.subjects)].sort() };
      const key = await keyOf(ordered);
      if (!key) return undefined;
      const head = headOf(ordered);
      return Buffer.concat([head, sealBytes(key, nonce, packed, associated(doc, head))]);
    },
    async open(doc, sealed) {
      const head = readHead(sealed);
      if (!head) return 'damaged';
      const key = await keyOf(head.keys);
      if (!key) return isAsWritten(sealed, head.end) ? 'gone' : 'damaged';
      try {
        return openBytes(key, sealed.subarray(head.end), associated(doc, sealed.subarray(0, head.end)));
      } catch {
        return 'damaged';
      }
    },
  };
}

function headOf({ secrets, subjects }: VectorKeys): Buffer {
  const texts = (list: readonly string[]) =>
    list.flatMap((text) => [Buffer.from([Buffer.byteLength(text, 'latin1')]), Buffer.from(text, 'latin1')]);
  const counts = Buffer.from([format, secrets.length, subjects.length & 0xff, subjects.length >> 8]);
  const head = Buffer.concat([counts, ...texts(secrets), ...texts(subjects)]);
  return Buffer.concat([head, check(head)]);
}

/** Undefined where it is none. */
function readHead(sealed: Uint8Array): { readonly keys: VectorKeys; readonly end: number } | undefined {
  const bytes = bufferOf(sealed);
  if (bytes.length < 4 || bytes[0] !== format) return undefined;
  const secrets = bytes[1]!;
  const texts: string[] = [];
  let at = 4;
  for (let left = secrets + bytes.readUInt16LE(2); left > 0; left--) {
    const end = at + 1 + (bytes[at] ?? 0);
    if (end + checkBytes > bytes.length) return undefined;
    texts.push(bytes.toString('latin1', at + 1, end));
    at = end;
  }
  if (at + checkBytes > bytes.length) return undefined;
  return { keys: { secrets: texts.slice(0, secrets), subjects: texts.slice(secrets) }, end: at + checkBytes };
}

function isAsWritten(sealed: Uint8Array, end: number): boolean {
  const head = sealed.subarray(0, end - checkBytes);
  return check(head).equals(sealed.subarray(end - checkBytes, end));
}

function check(head: Uint8Array): Buffer {
  return hash('sha256', head, 'buffer').subarray(0, checkBytes);
}

/** The same bytes. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
