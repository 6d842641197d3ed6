import { randomBytes } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { Vault } from '#sealing/vault.js';
import { type BlockEntry, joinEntries, tagBytes } from '#sealing/vector-block.js';
import { keysOfVector, manyVectorsBoxes, vectorBoxes } from '#sealing/vector-box.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { docsPerVectorBlock } from '#views/vectors.js';
import type { Views } from '#views/views.js';

const nonceBytes = 12;
const missingAtOnce = 100;
/** Opened between turns of the event loop: some 3 ms. */
const openedAtOnce = 128;

/**
 * Makes the blocks that are missing, so that who opens the bank next opens 1,024 vectors at a time (docs/decisions/0034). What is erased
 * meanwhile is in none: its key is gone, or the put is refused. A block that cannot be made is left for another time.
 */
export async function blockVectors(
  { views, vault }: { readonly views: Views; readonly vault: Vault },
  space: VectorSpace,
  signal?: AbortSignal,
): Promise<void> {
  const { blocks } = views.vectors;
  if (!blocks) return;
  for (const { bank, first } of await blocks.missing(space, missingAtOnce)) {
    if (signal?.aborted) return;
    const { changes } = await views.reader().vectorState(bank, space);
    const sealed = await block(bank, first);
    if (!sealed) continue;
    try {
      await blocks.put(bank, space, { first, sealed }, changes);
    } catch (error) {
      if (!isHindsightError(error, 'checkpoint_moved')) throw error;
    }
  }

  async function block(bank: string, first: number): Promise<Uint8Array | undefined> {
    const rows = await views.reader().vectorsFrom(bank, space, first, docsPerVectorBlock);
    const own = rows.filter(({ doc }) => doc < first + docsPerVectorBlock);
    const boxes = vectorBoxes(vault, bank, space);
    const entries: BlockEntry[] = [];
    const secrets = new Set<string>();
    const subjects = new Set<string>();
    for (const [at, { doc, changed, sealed }] of own.entries()) {
      const packed = await boxes.open(doc, sealed);
      const keys = keysOfVector(sealed);
      // Of what is damaged, or being erased, the rows tell.
      if (typeof packed === 'string' || !keys) return undefined;
      for (const id of keys.secrets) secrets.add(id);
      for (const hash of keys.subjects) subjects.add(hash);
      entries.push({ doc, changed, tag: sealed.subarray(-tagBytes), packed });
      if (at % openedAtOnce === openedAtOnce - 1) await breathe();
    }
    if (entries.length === 0) return undefined;
    const keys = { secrets: [...secrets], subjects: [...subjects] };
    return manyVectorsBoxes(vault, bank, space).seal(first, keys, joinEntries(entries), randomBytes(nonceBytes));
  }
}
