import { readerContract } from '../../reader.contract.js';

readerContract('sqlite', async (home) => {
  const { views, projector } = await home.station();
  return {
    reader: views.reader(),
    project: () => projector.catchUp({ everything: true }),
    remove: async () => undefined,
  };
});
