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

/** Makes the blocks of vectors that are missing, with keys and vectors alone: no model is needed. */
export interface VectorBlockMaker {
  /** Whether any is missing that this process has not found to be impossible. */
  areMissing(space: VectorSpace): Promise<boolean>;
  /**
   * Makes them, so that who opens the bank next opens 1,024 vectors at a time (docs/decisions/0034). What is erased meanwhile is in none: its key is
   * gone, or the put is refused. One that cannot be made, since a box in it does not open, is tried again when its bank's vectors have changed.
   */
  make(space: VectorSpace, signal?: AbortSignal): Promise<void>;
}

export function vectorBlockMaker({ views, vault }: { readonly views: Views; readonly vault: Vault }): VectorBlockMaker {
  const { blocks } = views.vectors;
  /** Changes of its bank when one could not be made. */
  const failed = new Map<string, number>();
  const changesOf = async (bank: string, space: VectorSpace): Promise<number> =>
    (await views.reader().vectorState(bank, space)).changes;

  async function possible(space: VectorSpace): Promise<{ readonly bank: string; readonly first: number }[]> {
    if (!blocks) return [];
    const found = [];
    for (const each of await blocks.missing(space, missingAtOnce + failed.size)) {
      const before = failed.get(nameOf(each));
      if (before === undefined || before !== (await changesOf(each.bank, space))) found.push(each);
    }
    return found;
  }

  return {
    areMissing: async (space) => (await possible(space)).length > 0,
    async make(space, signal) {
      for (let found = await possible(space); found.length > 0; found = await possible(space))
        for (const each of found) {
          if (signal?.aborted) return;
          await makeOne(each, space);
        }
    },
  };

  async function makeOne(each: { readonly bank: string; readonly first: number }, space: VectorSpace): Promise<void> {
    const { bank, first } = each;
    const changes = await changesOf(bank, space);
    const sealed = await block(bank, first, space);
    if (!sealed) {
      failed.set(nameOf(each), changes);
      return;
    }
    try {
      await blocks!.put(bank, space, { first, sealed }, changes);
    } catch (error) {
      if (!isHindsightError(error, 'checkpoint_moved')) throw error;
      failed.set(nameOf(each), changes);
    }
  }

  async function block(bank: string, first: number, space: VectorSpace): Promise<Uint8Array | undefined> {
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

function nameOf({ bank, first }: { readonly bank: string; readonly first: number }): string {
  return `${bank} ${first}`;
}
