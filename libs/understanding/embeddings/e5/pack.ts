import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The shipped model, as `models/make-e5-small.py` writes it. */
export interface ModelPack {
  /** SHA-256 of the file, hex. */
  readonly checksum: string;
  readonly pieces: number;
  section(name: SectionName): Uint8Array;
}

export type SectionName = 'pieces' | 'scores' | 'normalization' | 'words' | 'positions' | 'floats' | 'blocks';

const magic = 'HLE5PACK';
const version = 1;
const packFile = 'model.bin';
const checksumFile = 'SHA256SUMS';

interface Header {
  readonly pieces: number;
  readonly sections: Readonly<Record<SectionName, readonly [start: number, length: number]>>;
}

/**
 * Reads a model and holds it against its checksum: one flipped bit of a weight would give other vectors, and nobody would notice.
 * @throws Error in words: missing, damaged, of another version
 */
export async function readPack(folder: string): Promise<ModelPack> {
  const [bytes, checksum] = await Promise.all([readFile(join(folder, packFile)), expectedChecksum(folder)]);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== checksum)
    throw new Error(
      `${join(folder, packFile)} is damaged: its SHA-256 is ${found}, and ${checksumFile} says ${checksum}. Install the package again.`,
    );
  return openPack(bytes, checksum);
}

/** The checksum that the file beside the model gives it; cheap, for who only wants to know which model it is. */
export async function expectedChecksum(folder: string): Promise<string> {
  const text = await readFile(join(folder, checksumFile), 'utf8');
  const line = /^([0-9a-f]{64}) {2}model\.bin$/m.exec(text);
  if (!line) throw new Error(`${join(folder, checksumFile)} names no checksum of ${packFile}.`);
  return line[1]!;
}

function openPack(bytes: Uint8Array, checksum: string): ModelPack {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (Buffer.from(bytes.subarray(0, 8)).toString('latin1') !== magic || view.getUint32(8, true) !== version)
    throw new Error(`The model is not of version ${version} of this format.`);
  const length = view.getUint32(12, true);
  const { pieces, sections } = JSON.parse(Buffer.from(bytes.subarray(16, 16 + length)).toString('utf8')) as Header;
  return {
    checksum,
    pieces,
    section(name) {
      const [start, size] = sections[name];
      return bytes.subarray(start, start + size);
    },
  };
}
