/** A row as it stood when it was put into a block. */
export interface BlockEntry {
  readonly doc: number;
  /** At which change it was made anew; 0 for never. */
  readonly changed: number;
  /** The last eight bytes of its own box. */
  readonly tag: Uint8Array;
  readonly packed: Uint8Array;
}

export const tagBytes = 8;
/** Of a doc and a change. */
const numberBytes = 4;
const headBytes = numberBytes * 2 + tagBytes;

/** Entries of one size, one after another: doc and change (32 bits each, little endian), tag, packed vector. */
export function joinEntries(entries: readonly BlockEntry[]): Uint8Array {
  const width = headBytes + (entries[0]?.packed.length ?? 0);
  const bytes = Buffer.alloc(entries.length * width);
  for (const [place, { doc, changed, tag, packed }] of entries.entries()) {
    const at = place * width;
    bytes.writeUInt32LE(doc, at);
    bytes.writeUInt32LE(changed, at + numberBytes);
    bytes.set(tag, at + numberBytes * 2);
    bytes.set(packed, at + headBytes);
  }
  return bytes;
}

/**
 * @param packedBytes of a vector
 * @returns undefined where the bytes are no such entries
 */
export function splitEntries(bytes: Uint8Array, packedBytes: number): BlockEntry[] | undefined {
  const width = headBytes + packedBytes;
  if (bytes.length % width !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / width }, (_, place) => {
    const at = place * width;
    return {
      doc: view.getUint32(at, true),
      changed: view.getUint32(at + numberBytes, true),
      tag: bytes.subarray(at + numberBytes * 2, at + headBytes),
      packed: bytes.subarray(at + headBytes, at + width),
    };
  });
}
