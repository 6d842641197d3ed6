import { readerContract } from '../../reader.contract.js';
import { postgresStation } from '../testing/postgres-station.js';

readerContract('postgres, as the owner', async (home) => {
  const { views, projector, remove } = await postgresStation(home);
  return { reader: views.reader(), project: () => projector.catchUp({ everything: true }), remove };
});

readerContract('postgres, as who only reads', async (home) => {
  const { reader, projector, remove } = await postgresStation(home);
  return { reader: await reader(), project: () => projector.catchUp({ everything: true }), remove };
});
