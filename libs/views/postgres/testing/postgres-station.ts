import type { Ledger } from '#ledger/ledger.js';
import { createProjector, type Projector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import type { Projection } from '#projector/projections/projection.js';
import type { Vault } from '#sealing/vault.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import type { ViewsReader } from '../../reader.js';
import type { Views } from '../../views.js';
import { openPostgresViews } from '../open-postgres-views.js';
import { type QueryLogin, queryLogin } from './query-login.js';

/** Views in a database of their own, with a projector that owns them and readers that do not. */
export interface PostgresStation {
  readonly database: TestDatabase;
  readonly login: QueryLogin;
  /** As their owner. */
  readonly views: Views;
  readonly projector: Projector;
  /** One that projects only some of the projections, as a service of its own would. */
  projectorOf(...projections: readonly Projection[]): Projector;
  /** As who only reads. */
  query(poolSize?: number): Promise<Views>;
  reader(): Promise<ViewsReader>;
  remove(): Promise<void>;
}

const log = { info: () => undefined, warn: () => undefined };

export async function postgresStation(
  home: { readonly ledger: Ledger; readonly vault: Vault },
  { partitions = 4, batch = 100 } = {},
): Promise<PostgresStation> {
  const { ledger, vault } = home;
  const database = await freshDatabase();
  const options = { ledger: ledger.id, shapes: allProjections, partitions, log };
  const opened: Views[] = [];
  const projectors: Projector[] = [];
  const open = async (url: string, role: 'projector' | 'query', poolSize: number): Promise<Views> => {
    const views = await openPostgresViews(url, { ...options, role, poolSize });
    opened.push(views);
    return views;
  };
  const projecting = (projections: readonly Projection[]): Projector => {
    const projector = createProjector({ ledger, views, vault, log }, { projections, batch });
    projectors.push(projector);
    return projector;
  };
  const views = await open(database.url, 'projector', 4);
  const login = await queryLogin(database);
  return {
    database,
    login,
    views,
    projector: projecting(allProjections),
    projectorOf: (...projections) => projecting(projections),
    query: (poolSize = 2) => open(login.url, 'query', poolSize),
    reader: async () => (await open(login.url, 'query', 2)).reader(),
    async remove() {
      for (const projector of projectors) await projector.close();
      for (const each of opened) await each.close();
      await database.drop();
      await login.drop();
    },
  };
}
