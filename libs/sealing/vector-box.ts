import { hash } from 'node:crypto';
import { hkdfDeriver } from './hkdf.js';
import { openBytes, sealBytes } from './sealed-bytes.js';
import type { Vault } from './vault.js';

/** Of one vector, and of many that stand one after another: by forms of their own, so neither is taken for the other. */
const one: Kind = { format: 1, info: 'hindsight-ledger/vector/1', place: 'hl-vector-1' };
const many: Kind = { format: 2, info: 'hindsight-ledger/vectors/1', place: 'hl-vectors-1' };

interface Kind {
  readonly format: number;
  readonly info: string;
  readonly place: string;
}

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
export function vectorBoxes(vault: Keys, bank: string, space: VectorSpaceName): VectorBoxes {
  return boxesOf(one, vault, bank, space);
}

/**
 * The same of many vectors at once, of which `doc` is the first: their key is derived from the secrets of all memories whose words are in any of
 * them, in the order given, so destroying one of these ends the whole box.
 */
export function manyVectorsBoxes(vault: Keys, bank: string, space: VectorSpaceName): VectorBoxes {
  return boxesOf(many, vault, bank, space);
}

type Keys = Pick<Vault, 'secret' | 'knownBankKeys' | 'knownSubjectSecret'>;

function boxesOf({ format, info, place: kind }: Kind, vault: Keys, bank: string, space: VectorSpaceName): VectorBoxes {
  const { model, dimensions } = space;
  const place = `${kind}\n${bank}\n${model}\n${dimensions}\n`;
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
    if (!first || (secrets.length === 1 && format === one.format)) return first && derive(first);
    const found = [first];
    for (const id of secrets.slice(1)) {
      const secret = await vault.secret(id);
      if (!secret) return undefined;
      found.push(secret);
    }
    // Of a thousand secrets, what is derived from is their hash: it takes all of them, too.
    return derive(format === one.format ? Buffer.concat(found) : hash('sha256', Buffer.concat(found), 'buffer'));
  }

  return {
    async seal(doc, keys, packed, nonce) {
      const ordered = { secrets: [...new Set(keys.secrets)], subjects: [...new Set(keys.subjects)].sort() };
      if (Math.max(ordered.secrets.length, ordered.subjects.length) > mostNamed) return undefined;
      const key = await keyOf(ordered);
      if (!key) return undefined;
      const head = headOf(format, ordered);
      return Buffer.concat([head, sealBytes(key, nonce, packed, associated(doc, head))]);
    },
    async open(doc, sealed) {
      const head = readHead(format, sealed);
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

/** The ids of the secrets, and hashes of the subjects, that a box of one vector names; undefined where it is none. */
export function keysOfVector(sealed: Uint8Array): VectorKeys | undefined {
  return readHead(one.format, sealed)?.keys;
}

/** What two bytes count. */
const mostNamed = 0xffff;

/** Numbers of secrets and of subjects: one byte and two in a box of one vector, two each in one of many. */
function counts(format: number, secrets: number, subjects: number): Buffer {
  const bytes = Buffer.alloc(format === one.format ? 4 : 6);
  bytes[0] = format;
  if (format === one.format) bytes[1] = secrets;
  else bytes.writeUInt16LE(secrets, 2);
  bytes.writeUInt16LE(subjects, bytes.length - 2);
  return bytes;
}

function headOf(format: number, { secrets, subjects }: VectorKeys): Buffer {
  const texts = (list: readonly string[]) =>
    list.flatMap((text) => [Buffer.from([Buffer.byteLength(text, 'latin1')]), Buffer.from(text, 'latin1')]);
  const head = Buffer.concat([counts(format, secrets.length, subjects.length), ...texts(secrets), ...texts(subjects)]);
  return Buffer.concat([head, check(head)]);
}

/** Undefined where it is none. */
function readHead(format: number, sealed: Uint8Array): { readonly keys: VectorKeys; readonly end: number } | undefined {
  const bytes = bufferOf(sealed);
  const first = format === one.format ? 4 : 6;
  if (bytes.length < first || bytes[0] !== format) return undefined;
  const secrets = format === one.format ? bytes[1]! : bytes.readUInt16LE(2);
  const texts: string[] = [];
  let at = first;
  for (let left = secrets + bytes.readUInt16LE(first - 2); left > 0; left--) {
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
