import { sql } from 'kysely';
import { HindsightError } from '#contract/errors.js';
import type { ViewsLog } from './connections.js';
import { dropGenerations } from './generations.js';
import type { PostgresStore } from './store.js';

/**
 * Whether these are views of the ledger where it is now. One that was put back (from a backup, into an empty event store) counts its
 * positions anew: checkpoints of before say nothing of it, however they compare. A projector drops such views and makes them anew.
 * @param place as Ledger.place
 * @throws HindsightError views_missing (role query): until a projector has begun there is nothing to answer from
 */
export async function checkPlace(store: PostgresStore, place: string, log: ViewsLog): Promise<void> {
  const { connections, role } = store;
  const found = await connections.mapped(() =>
    connections.kysely.selectFrom('hl_meta').select('value').where('name', '=', 'place').executeTakeFirst(),
  );
  if (found?.value === place) return;
  if (role === 'query') {
    // Of an earlier release, which did not write it down.
    if (!found) return;
    throw new HindsightError(
      'views_missing',
      `The database at ${connections.place} holds views of what this ledger held at another place, before it was put where it is now. A projector drops them when it starts, and makes them anew.`,
      { database: connections.place },
    );
  }
  if (found) {
    log.warn(
      { database: connections.place },
      'the ledger was put back at another place: dropping the views of what it held before, and making them anew',
    );
    // First dropped, then written down: killed in between, it is done again. Of two at once the second finds nothing more of these.
    await connections.mapped(() => dropGenerations(store, store.known.generations));
  }
  await connections.mapped(() =>
    sql`INSERT INTO hindsight.hl_meta (name, value) VALUES ('place', ${place})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(connections.kysely),
  );
}
