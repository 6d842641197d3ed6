import { hash } from 'node:crypto';

/** Terms longer than this are not remembered. */
const rememberedLength = 48;
/** Half of the hashes remembered per bank, and how many banks, those that came last: 16,384 short strings are about 2 MB. */
const generation = 8192;
const banks = 16;

interface Hasher {
  /** The key, with room for a term behind it. */
  readonly input: Buffer;
  readonly keyLength: number;
  recent: Map<string, string>;
  older: Map<string, string>;
}

const hashers = new Map<Uint8Array, Hasher>();
let lastKey: Uint8Array | undefined;
let lastHasher: Hasher | undefined;

/**
 * What postings call a term: the first 8 bytes, in hex, of SHA-256 over the bank's index key and the term. A one-shot hash
 * is a quarter of an HMAC's cost, and a truncated one cannot be extended.
 */
export function termHash(indexKey: Uint8Array, term: string): string {
  const hasher = indexKey === lastKey ? lastHasher! : hasherOf(indexKey);
  const known = hasher.recent.get(term) ?? hasher.older.get(term);
  if (known !== undefined) return known;
  const hashed = hashTerm(hasher, term);
  if (term.length <= rememberedLength) {
    if (hasher.recent.size >= generation) {
      hasher.older = hasher.recent;
      hasher.recent = new Map();
    }
    hasher.recent.set(term, hashed);
  }
  return hashed;
}

function hashTerm({ input, keyLength }: Hasher, term: string): string {
  if (term.length * 3 > input.length - keyLength)
    return hash('sha256', Buffer.concat([input.subarray(0, keyLength), Buffer.from(term, 'utf8')]), 'hex').slice(0, 16);
  const end = keyLength + input.write(term, keyLength, 'utf8');
  return hash('sha256', input.subarray(0, end), 'hex').slice(0, 16);
}

function hasherOf(key: Uint8Array): Hasher {
  let hasher = hashers.get(key);
  if (!hasher) {
    if (hashers.size >= banks) hashers.delete(hashers.keys().next().value!);
    const input = Buffer.alloc(key.length + 512);
    input.set(key);
    hasher = { input, keyLength: key.length, recent: new Map(), older: new Map() };
  }
  // Behind the others: the first one was not asked for longest.
  hashers.delete(key);
  hashers.set(key, hasher);
  lastKey = key;
  lastHasher = hasher;
  return hasher;
}
