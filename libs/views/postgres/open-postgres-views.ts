import { HindsightError } from '#contract/errors.js';
import { isPurging } from '../purge.js';
import type { BankNumbers, GenerationId, ProjectionShape, Views } from '../views.js';
import { decodeText } from './cells.js';
import { openConnections, type Role, type ViewsLog } from './connections.js';
import { dumpGeneration } from './dump-generation.js';
import { dropGenerations, readGenerations, readsOnly, startGeneration, sweep, switchTo } from './generations.js';
import { releaseLease, takeLease } from './leases.js';
import { checkPlace } from './ledger-place.js';
import { loadGroups } from './load-groups.js';
import { createPostgresReader } from './reader/create-postgres-reader.js';
import { qualified } from './schema.js';
import { createStore, type PostgresStore } from './store.js';
import { setNearest } from './vectors/nearest-feed.js';
import { postgresVectors } from './vectors/vector-views.js';
import { writeChanges } from './write-changes.js';

export interface PostgresViewsOptions {
  /** Id of the ledger that these are views of: a database holds those of one. */
  readonly ledger: string;
  readonly shapes: readonly ProjectionShape[];
  /** Where the ledger is kept now (Ledger.place): views of what it held elsewhere are dropped by a projector, and refused to a query. */
  readonly place?: string | undefined;
  /** Of the feed and of every generation; fixed when the store is made. */
  readonly partitions: number;
  readonly log: ViewsLog;
  /** A projector owns all and migrates; a query only reads, as member of the role hindsight_query. */
  readonly role: Role;
  /** Of a projector: whether vectors also stand, unsealed, where pgvector searches them; they do not by default. */
  readonly nearest?: boolean;
  /** Connections at most; 10 by default. */
  readonly poolSize?: number;
  /** Milliseconds between a projector's looks after tables that could not be dropped when their generation was; 30 s by default. */
  readonly sweepEvery?: number;
}

const defaultPoolSize = 10;
const defaultSweepEvery = 30_000;

/**
 * The read models in a PostgreSQL database, schema `hindsight`, shared by any number of processes. A database that was lost (dropped and
 * created again, empty) is filled anew by the projector.
 * @throws HindsightError views_missing (role query) · newer_format · invalid_config · database_refused · unreachable
 */
export async function openPostgresViews(url: string, options: PostgresViewsOptions): Promise<Views> {
  const { role, log, nearest = false, poolSize = defaultPoolSize, sweepEvery = defaultSweepEvery } = options;
  const connections = openConnections(url, { role, poolSize, log });
  let store: PostgresStore;
  try {
    store = await createStore(connections, options);
    if (options.place !== undefined) await checkPlace(store, options.place, log);
    if (role === 'projector') await setNearest(store, nearest);
  } catch (error) {
    await connections.close();
    throw error;
  }
  let refill: () => Promise<void> = async () => undefined;
  // What an erasure let go of must not stay because nothing is made or dropped after it. What fails is tried at the next look.
  let sweeping: Promise<void> | undefined;
  const sweeper =
    role === 'projector'
      ? setInterval(() => {
          sweeping ??= sweep(store)
            .catch(() => undefined)
            .finally(() => {
              sweeping = undefined;
            });
        }, sweepEvery).unref()
      : undefined;
  const reader = createPostgresReader(store, () => refill());

  /** What was in hand is of a store that is no more: the projector starts from what is there now. */
  const startAgain = async (): Promise<never> => {
    throw new HindsightError('checkpoint_moved', `The views at ${connections.place} were lost and made anew, empty.`, {
      database: connections.place,
    });
  };
  const writing = <T>(work: () => Promise<T>, afterwards: () => Promise<T> = startAgain): Promise<T> => {
    if (role === 'query') return Promise.reject(readsOnly(connections.place));
    return store.guarded(work, afterwards);
  };
  const again = <T>(work: () => Promise<T>): Promise<T> => store.guarded(work, work);
  const tablesOf = ({ projection }: GenerationId) =>
    options.shapes.find(({ name }) => name === projection)?.tables ?? [];

  return {
    partitions: options.partitions,
    onServer: true,
    stamp: async () => `${(await store.refresh()).stamp}.${connections.serverLife}`,
    generations: () => again(() => readGenerations(store)),
    checkpoints: (id) => store.guarded(() => store.checkpoints(id), startAgain),
    startGeneration: (shape) => {
      const work = () => startGeneration(store, shape);
      return writing(work, work);
    },
    switchTo: (ids) =>
      writing(
        () => switchTo(store, ids),
        async () => false,
      ),
    drop: (ids) =>
      writing(
        () => dropGenerations(store, ids),
        async () => undefined,
      ),

    numbersOf: (id, banks) => writing(() => readNumbers(store, id, banks)),
    load: (id, requests) => writing(() => loadGroups(store, id, requests)),
    commit: (changes) =>
      writing(async () => {
        await writeChanges(store, changes);
        if (!changes.some(isPurging)) return;
        // What is projected into no more would keep what was erased.
        const former = (await store.reread()).generations.filter((each) => each.former);
        if (former.length) await dropGenerations(store, former);
      }),

    lease: (name, holder, forMs) =>
      writing(
        () => takeLease(store, name, holder, forMs),
        async () => false,
      ),
    release: (name, holder) =>
      writing(
        () => releaseLease(store, name, holder),
        async () => undefined,
      ),

    deadLetters: (id) =>
      store.guarded(
        async () =>
          (
            await connections.kysely
              .selectFrom('hl_dead_letters')
              .select(['position', 'stream', 'event_id as eventId', 'type', 'reason', 'at'])
              .where('projection', '=', id.projection)
              .where('generation', '=', id.generation)
              .orderBy('position')
              .execute()
          ).map((letter) => ({ ...letter, reason: decodeText(letter.reason), type: decodeText(letter.type) })),
        async () => [],
      ),

    dump: (id) => writing(() => dumpGeneration(store, id, tablesOf(id))),
    countRows: (id) =>
      writing(async () => {
        const counted = new Map<string, number>();
        for (const table of tablesOf(id)) {
          const [row] = await connections.run<{ rows: number }>({
            text: `SELECT count(*) AS rows FROM ${qualified(table, id.generation)}`,
          });
          counted.set(table.name, row!.rows);
        }
        return counted;
      }),

    vectors: postgresVectors(store, { nearest, writing: (work) => writing(work), reading: again }),
    reader: () => reader,
    refillWith(fill) {
      refill = fill;
    },
    async close() {
      clearInterval(sweeper);
      await sweeping;
      await connections.close();
    },
  };
}

async function readNumbers(
  { connections }: PostgresStore,
  { projection, generation }: GenerationId,
  banks: readonly string[],
): Promise<Map<string, BankNumbers>> {
  const rows = await connections.run<BankNumbers & { id: string }>({
    name: 'numbers of banks',
    text:
      'SELECT banks.id, held.seq, held.docs FROM hindsight.hl_banks AS banks JOIN hindsight.hl_numbers AS held ON held.bank = banks.number ' +
      'WHERE held.projection = $1 AND held.generation = $2 AND banks.id = ANY($3)',
    values: [projection, generation, banks],
  });
  return new Map(rows.map(({ id, seq, docs }) => [id, { seq, docs }]));
}
