import { readFileSync } from 'node:fs';

/** One committed event: as it was stored, and all that was needed to make it. */
export interface StoredVector {
  readonly name: string;
  readonly bytes: Buffer;
  /** Hex. */
  readonly hash: string;
  readonly content: Record<string, unknown>;
  /** Hex. */
  readonly associatedData: string;
  /** Hex. */
  readonly contentKey: string;
  /** Hex. */
  readonly nonce: string;
  /** What the event means today; only for those of an earlier schema. */
  readonly today?: { readonly type: string; readonly data: object; readonly content: object };
}

export interface StoredVectors {
  /** Hex, by id. */
  readonly keys: {
    readonly bankSecret: string;
    readonly secrets: Readonly<Record<string, string>>;
    readonly subjects: Readonly<Record<string, string>>;
  };
  /** Events of today's schema versions. */
  readonly current: readonly StoredVector[];
  readonly earlier: readonly StoredVector[];
  /** Events that carry no box, of today's schema versions. */
  readonly boxless: readonly Pick<StoredVector, 'name' | 'bytes' | 'hash'>[];
}

/** The committed bytes of events, as the file's `source` says they were made. */
export function storedEvents(): StoredVectors {
  const text = readFileSync(new URL('../vectors/stored-events.json', import.meta.url), 'utf8');
  const { keys, current, earlier, boxless } = JSON.parse(text) as StoredVectors;
  return {
    keys,
    current: current.map(withBytes),
    earlier: earlier.map(withBytes),
    boxless: boxless.map(withBytes),
  };
}

function withBytes<V extends Pick<StoredVector, 'bytes'>>(vector: V): V {
  return { ...vector, bytes: Buffer.from(vector.bytes as unknown as string, 'base64') };
}
