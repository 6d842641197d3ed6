import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadModel } from './model.js';
import type { OpenHost } from './model-host.js';

/**
 * The network in the caller's thread: where there is no compiled program for another one, as in tests of the sources. Nothing can be asked
 * while a text is computed, so nothing overtakes it.
 */
export const localHost: OpenHost = (places) => {
  const model = loadModel(places);
  const loaded = model.then(({ build }) => build);
  loaded.catch(() => undefined);
  return {
    loaded,
    async embed(text, role) {
      // Between two texts, others have their turn.
      await nextTurn();
      return (await model).embed(text, role);
    },
    async close() {},
  };
};
