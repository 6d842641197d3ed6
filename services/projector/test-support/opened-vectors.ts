import type { Vault } from '#sealing/vault.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import type { ViewsReader } from '#views/reader.js';

/** Vectors of a bank as a question sees them: packed, in hex. One that does not open says why. */
export async function openedVectors(
  reader: Pick<ViewsReader, 'vectorsFrom'>,
  vault: Vault,
  bank: string,
  space: VectorSpace,
): Promise<{ readonly doc: number; readonly packed: string; readonly changed: number }[]> {
  const boxes = vectorBoxes(vault, bank, space);
  const found = [];
  for (const { doc, sealed, changed } of await reader.vectorsFrom(bank, space, 0, 10_000)) {
    const opened = await boxes.open(doc, sealed);
    found.push({ doc, packed: typeof opened === 'string' ? opened : Buffer.from(opened).toString('hex'), changed });
  }
  return found;
}
