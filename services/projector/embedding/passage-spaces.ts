import { HindsightError } from '#contract/errors.js';
import type { Embedder, VectorSpace } from '#understanding/embeddings/embedder.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import type { Views } from '#views/views.js';
import type { ProjectorLog } from '../fold/project-batch.js';

/** The space that vectors are made in, and those that were used before it. */
export interface PassageSpaces {
  /** Whether anything is to be done. While the model is not loaded, as if it were the one that was used last. */
  areBehind(): Promise<boolean>;
  /** The space of today's passages, made where there is none. @throws HindsightError embeddings_unavailable */
  open(): Promise<{ readonly model: VectorSpace; readonly space: VectorSpace }>;
  /** Removes the spaces that were made before the one that has caught up: nobody asks them any more. */
  dropFormer(space: VectorSpace): Promise<void>;
}

export function passageSpaces(views: Views, embedder: Embedder, log: ProjectorLog): PassageSpaces {
  let opened: VectorSpace | undefined;

  return {
    async areBehind() {
      const spaces = await views.vectors.spaces();
      const isReady = embedder.state().state === 'ready';
      const space = isReady
        ? passageSpace(await embedder.space())
        : (spaces.at(-1) ?? { model: 'none', dimensions: 1 });
      if ((await views.vectors.behind(space, 1)).length > 0) return true;
      return isReady && placeOf(space, spaces) > 0;
    },

    async open() {
      const model = await embedder.space();
      const space = passageSpace(model);
      const spaces = await views.vectors.spaces();
      if (placeOf(space, spaces) < 0) {
        // A store that was made anew has none.
        if (opened && placeOf(opened, [space]) === 0 && spaces.length > 0) throw supplanted(embedder.name);
        await views.vectors.make(space);
      }
      opened = space;
      return { model, space };
    },

    async dropFormer(space) {
      const spaces = await views.vectors.spaces();
      for (const former of spaces.slice(0, Math.max(0, placeOf(space, spaces)))) {
        await views.vectors.drop(former);
        log.info(
          { space: former.model.slice(0, 16) },
          'removed the vectors of a former model: all are made by the new one',
        );
      }
    },
  };
}

function placeOf(space: VectorSpace, spaces: readonly VectorSpace[]): number {
  return spaces.findIndex(({ model, dimensions }) => model === space.model && dimensions === space.dimensions);
}

function supplanted(name: string): HindsightError {
  return new HindsightError(
    'embeddings_unavailable',
    `Another process on these views embeds by another model than ${name}, and has removed what was made by it. Give both the same settings.`,
    { name },
  );
}
