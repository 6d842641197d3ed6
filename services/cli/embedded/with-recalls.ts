import type { Projector } from '#projector/create-projector.js';
import type { ViewsReader } from '#views/reader.js';

/** The same reader, which brings what was served up to date before it is asked for: no other question waits for that. */
export function withRecalls(reader: ViewsReader, projector: Pick<Projector, 'catchUp'>): ViewsReader {
  const bring = () => projector.catchUp({ everything: true });
  return {
    ...reader,
    async recallsOf(bank, asked) {
      await bring();
      return reader.recallsOf(bank, asked);
    },
    async recallsServing(bank, memoryIds) {
      await bring();
      return reader.recallsServing(bank, memoryIds);
    },
    async recallsAbout(bank, subjectHash) {
      await bring();
      return reader.recallsAbout(bank, subjectHash);
    },
  };
}
