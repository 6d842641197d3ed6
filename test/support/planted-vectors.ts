import { readFileSync } from 'node:fs';
import type { Vault } from '#sealing/vault.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import { packedDirection, unpackVector } from '#understanding/embeddings/scan/packed-vector.js';

/** A vector as it stands in a store. */
export interface VectorInStore {
  readonly bank: string;
  readonly model: string;
  readonly dimensions: number;
  readonly doc: number;
  readonly sealed: Uint8Array;
}

/** Bytes of each piece that is looked for: of a vector that was torn apart some would be left. */
const pieceBytes = 24;
/** Where pieces begin, as parts of the whole. */
const places = [0.1, 0.35, 0.6, 0.85];

/** Packed, as they are in memory. @throws Error for one that does not open */
export async function openAll(vault: Vault, rows: readonly VectorInStore[]): Promise<Buffer[]> {
  const opened: Buffer[] = [];
  for (const { bank, model, dimensions, doc, sealed } of rows) {
    const packed = await vectorBoxes(vault, bank, { model, dimensions }).open(doc, sealed);
    if (typeof packed === 'string') throw new Error(`the vector of doc ${doc} is ${packed}`);
    opened.push(Buffer.from(packed));
  }
  return opened;
}

/** Which of these packed vectors stand in some bytes, as a careless program might leave them. One pass, however many they are. */
export function vectorScan(vectors: readonly Uint8Array[]): (bytes: Buffer) => number[] {
  const starts = new Uint8Array(1 << 24);
  const byStart = new Map<number, { readonly piece: Buffer; readonly of: number }[]>();
  for (const [of, vector] of vectors.entries())
    for (const piece of piecesOf(vector)) {
      const start = piece.readUIntBE(0, 3);
      starts[start] = 1;
      byStart.set(start, [...(byStart.get(start) ?? []), { piece, of }]);
    }
  return (bytes) => {
    const found = new Set<number>();
    for (let at = 2, start = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0); at < bytes.length; at++) {
      start = ((start << 8) | bytes[at]!) & 0xffffff;
      if (starts[start] === 0) continue;
      for (const { piece, of } of byStart.get(start)!)
        if (!found.has(of) && bytes.subarray(at - 2, at - 2 + piece.length).equals(piece)) found.add(of);
    }
    return [...found].sort((one, other) => one - other);
  };
}

/** Files in which any of these stands, with which. What a server removes meanwhile holds nothing. */
export function vectorsUnder(vectors: readonly Uint8Array[], files: readonly string[]): string[] {
  const scan = vectorScan(vectors);
  return files.flatMap((file) => {
    try {
      return scan(readFileSync(file)).map((of) => `vector ${of} in ${file}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** As whole numbers of a byte, in half and in whole precision, either end first; and each of the whole numbers as text. */
function piecesOf(vector: Uint8Array): Buffer[] {
  const packed = Buffer.from(vector);
  const numbers = Buffer.from(vector.subarray(4));
  const unit = unpackVector(vector);
  const wide = (bytes: number, write: (into: Buffer, value: number, at: number) => void) => {
    const made = Buffer.alloc(unit.length * bytes);
    for (const [at, value] of unit.entries()) write(made, value, at * bytes);
    return made;
  };
  const text = (written: string) => Buffer.from(written, 'latin1');
  const forms = [
    numbers,
    wide(2, (into, value, at) => into.writeUInt16LE(halfOf(value), at)),
    wide(2, (into, value, at) => into.writeUInt16BE(halfOf(value), at)),
    wide(4, (into, value, at) => into.writeFloatLE(value, at)),
    wide(4, (into, value, at) => into.writeFloatBE(value, at)),
    text(packed.toString('hex')),
    text(packed.toString('hex').toUpperCase()),
    // Wherever the vector begins in its groups of three bytes.
    ...[0, 1, 2].map((before) => text(Buffer.concat([Buffer.alloc(before), packed]).toString('base64'))),
    text(packedDirection(vector).numbers.join(',')),
    text(Array.from(unit).join(',')),
  ];
  return forms.flatMap((form) =>
    places.map((place) => {
      const from = Math.floor((form.length - pieceBytes) * place);
      return form.subarray(from, from + pieceBytes);
    }),
  );
}

/** IEEE 754 half precision of a number that is neither tiny nor huge, to the nearest, of two the even one. */
export function halfOf(value: number): number {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, value);
  const single = bits.getUint32(0);
  const sign = (single >>> 16) & 0x8000;
  if (value === 0) return sign;
  const exponent = ((single >>> 23) & 0xff) - 127 + 15;
  if (exponent < 1 || exponent > 30) throw new RangeError(`${value} is not in the normal range of half precision`);
  const rest = single & 0x1fff;
  const half = sign | (exponent << 10) | ((single & 0x7fffff) >>> 13);
  return half + (rest > 0x1000 || (rest === 0x1000 && (half & 1) === 1) ? 1 : 0);
}
