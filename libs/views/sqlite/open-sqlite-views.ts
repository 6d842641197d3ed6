import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import { immediate } from '#sqlite/immediate.js';
import { truncateLog } from '#sqlite/truncate-log.js';
import { isPurging } from '../purge.js';
import { versionsShape } from '../tables/versions.js';
import type { BankNumbers, GenerationId, ProjectionShape, Views } from '../views.js';
import { dumpGeneration } from './dump-generation.js';
import { releaseLease, takeLease } from './leases.js';
import { loadGroups } from './load-groups.js';
import { clearVectors } from './purge-vectors.js';
import { createSqliteReader } from './reader/create-sqlite-reader.js';
import { createTable } from './schema.js';
import { createStore, guarded, isMissingTable, newerProjection, type Store, states } from './store.js';
import { sqliteVectors } from './vectors.js';
import { openViewsFile, type ViewsLog } from './views-file.js';
import { writeChanges } from './write-changes.js';

export interface SqliteViewsOptions {
  /** Id of the ledger that these are views of: a file that belongs to another is built anew. */
  readonly ledger: string;
  readonly shapes: readonly ProjectionShape[];
  readonly log: ViewsLog;
}

/** How long a commit waits for another process's, in milliseconds: both do the same work, so the other's serves as well. */
const patience = 5_000;
/** Milliseconds for which the log is tried to be emptied after a purge. */
const longestTruncating = 1_000;

/**
 * The read models in one SQLite file, shared by several processes. A file that is missing, damaged or of another ledger is
 * replaced by an empty one, now or whenever it is noticed; the log says so.
 * @throws HindsightError newer_format · not_writable · disk_full
 */
export async function openSqliteViews(path: string, options: SqliteViewsOptions): Promise<Views> {
  const store = createStore(await openViewsFile(path, options.ledger, options.log));
  await guarded(
    store,
    () => store.refresh(),
    async () => store.refresh(),
  );
  let refill: () => Promise<void> = async () => undefined;
  let filled = store.file.openings;
  const filling = {
    isDue: () => filled !== store.file.openings,
    async refill() {
      const { openings } = store.file;
      await refill();
      filled = openings;
    },
  };

  /** Puts an empty file in the place of a damaged one. @throws whatever else the error is */
  const recovered = (error: unknown): Promise<void> =>
    guarded(
      store,
      () => Promise.reject(error),
      async () => undefined,
    );

  /** What was in hand is of a file that is no more: the projector starts from what is there now. */
  const startAgain = async (): Promise<never> => {
    store.refresh();
    throw new HindsightError('checkpoint_moved', `${path} was replaced by an empty one.`, { file: path });
  };
  const transaction = <T>(work: () => T): Promise<T> =>
    guarded(
      store,
      async () => {
        const { openings } = store.file;
        try {
          return await immediate(store.file.db, work, { patience });
        } catch (error) {
          store.forgetBanks();
          // While this waited for the lock, another call of this process noticed that the file was replaced, and closed it.
          if (openings !== store.file.openings) return startAgain();
          throw error;
        }
      },
      startAgain,
    );
  /** Makes every process reread which generations there are. */
  const generationsChanged = (): void => {
    store.file.db.prepare(`UPDATE hl_meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'stamp'`).run();
  };

  const tablesOf = ({ projection }: GenerationId) =>
    options.shapes.find(({ name }) => name === projection)?.tables ?? [];
  // One for all questions: to compile its statements anew for each took longer than to run them.
  const reader = createSqliteReader(store, filling);

  return {
    partitions: 1,
    async stamp() {
      if (store.file.isReplaced()) await store.file.reopen();
      try {
        store.refresh();
      } catch (error) {
        await recovered(error);
      }
      return store.stamp;
    },

    async generations() {
      await guarded(
        store,
        () => store.reread(),
        async () => store.reread(),
      );
      return [...store.generations];
    },

    async checkpoints(id) {
      await guarded(
        store,
        () => store.reread(),
        async () => store.reread(),
      );
      const found = store.generations.find(
        (each) => each.projection === id.projection && each.generation === id.generation,
      );
      if (!found) throw generationGone(id);
      return [{ position: found.position, systemTime: found.systemTime }];
    },

    async startGeneration(shape) {
      const id = await transaction(() => {
        store.reread();
        const ofProjection = store.generations.filter((each) => each.projection === shape.name);
        const found = ofProjection.find((each) => each.version === shape.version && !each.active && !each.former);
        const newer = ofProjection.find((each) => each.active && each.version > shape.version);
        if (newer) throw newerProjection(path, newer, shape);
        if (found) return { projection: found.projection, generation: found.generation };
        return makeGeneration(store, shape, ofProjection.length === 0, generationsChanged);
      });
      store.reread();
      return id;
    },

    async switchTo(ids) {
      const switched = await transaction(() => {
        store.reread();
        if (ids.some((id) => isBehind(store, id))) return false;
        const { db } = store.file;
        if (ids.some(isOfVersions) && hasSetAside(store)) clearVectors(store);
        for (const { projection, generation } of ids)
          db.prepare(
            `UPDATE hl_generations SET active = CASE WHEN generation = ? THEN ${states.active} WHEN active = ${states.active} THEN ${states.former} ELSE active END WHERE projection = ?`,
          ).run(generation, projection);
        generationsChanged();
        return true;
      });
      store.reread();
      return switched;
    },

    async drop(ids) {
      await transaction(() => {
        store.reread();
        if (ids.some((id) => isOfVersions(id) && isInUse(store, id))) clearVectors(store);
        for (const id of ids) dropGeneration(store, id);
        generationsChanged();
      });
      store.reread();
    },

    numbersOf: (id, banks) => guarded(store, () => readNumbers(store, id, banks), startAgain),
    load: (id, requests) =>
      guarded(
        store,
        () => {
          try {
            return loadGroups(store, id.generation, requests);
          } catch (error) {
            throw isMissingTable(error) ? generationGone(id) : error;
          }
        },
        startAgain,
      ),
    async commit(changes) {
      const purging = changes.filter(isPurging);
      await transaction(() => {
        writeChanges(store, changes);
        const purged = purging.filter(({ id }) => isInUse(store, id));
        if (purged.length === 0) return;
        store.reread();
        // What is projected into no more would keep what was erased.
        for (const each of store.generations) if (each.former) dropGeneration(store, each);
        generationsChanged();
      });
      if (purging.length === 0) return;
      store.reread();
      // Another process may be moving the log into the file: what was purged stands in it until it is empty.
      for (const deadline = Date.now() + longestTruncating; !truncateLog(store.file.db) && Date.now() < deadline; )
        await sleep(2 + Math.random() * 8);
    },

    lease: (name, holder, forMs) =>
      guarded(
        store,
        () => takeLease(store.file.db, name, holder, forMs),
        async () => false,
      ),
    release: (name, holder) =>
      guarded(
        store,
        () => releaseLease(store.file.db, name, holder),
        async () => undefined,
      ),

    deadLetters: (id) =>
      guarded(
        store,
        () =>
          store.file.db
            .prepare(
              'SELECT position, stream, event_id AS eventId, type, reason, at FROM hl_dead_letters WHERE projection = ? AND generation = ? ORDER BY position',
            )
            .all(id.projection, id.generation),
        async () => [],
      ),

    async dump(id) {
      return dumpGeneration(store, id, tablesOf(id));
    },

    countRows: (id) =>
      guarded(
        store,
        () =>
          new Map(
            tablesOf(id).map(({ name }) => {
              const counted = store.file.db.prepare(`SELECT count(*) AS rows FROM ${name}_g${id.generation}`).get();
              return [name, (counted as { rows: number }).rows] as const;
            }),
          ),
        startAgain,
      ),

    vectors: sqliteVectors(store, {
      transaction,
      read: (work) => guarded(store, async () => work(), startAgain),
    }),
    reader: () => reader,
    refillWith(again) {
      refill = again;
    },
    close: async () => store.file.close(),
  };
}

function isOfVersions({ projection }: GenerationId): boolean {
  return projection === versionsShape.name;
}

/** What was set aside is projected by a replay, and numbers the docs after it anew. */
function hasSetAside({ file: { db } }: Store): boolean {
  return db.prepare('SELECT 1 FROM hl_dead_letters WHERE projection = ? LIMIT 1').get(versionsShape.name) !== undefined;
}

function isInUse(store: Store, { projection, generation }: GenerationId): boolean {
  const found = store.file.db
    .prepare('SELECT active FROM hl_generations WHERE projection = ? AND generation = ?')
    .get(projection, generation) as { active: number } | undefined;
  return found?.active === 1;
}

function makeGeneration(store: Store, shape: ProjectionShape, first: boolean, changed: () => void): GenerationId {
  const { db } = store.file;
  const numbers = store.generations
    .filter((each) => each.projection === shape.name)
    .map(({ generation }) => generation);
  const generation = Math.max(lastDropped(store), ...numbers) + 1;
  for (const table of shape.tables) for (const statement of createTable(table, generation)) db.exec(statement);
  db.prepare(
    `INSERT INTO hl_generations (projection, generation, version, active, position, system_time, tables) VALUES (?, ?, ?, ?, NULL, '', ?)`,
  ).run(
    shape.name,
    generation,
    shape.version,
    first ? 1 : 0,
    JSON.stringify(shape.tables.map(({ name }) => `${name}_g${generation}`)),
  );
  changed();
  return { projection: shape.name, generation };
}

function isBehind(store: Store, id: GenerationId): boolean {
  const next = store.generations.find((each) => each.projection === id.projection && each.generation === id.generation);
  const active = store.generations.find((each) => each.projection === id.projection && each.active);
  return !next || (active !== undefined && (next.position ?? '') < (active.position ?? ''));
}

function dropGeneration(store: Store, { projection, generation }: GenerationId): void {
  const { db } = store.file;
  const found = store.generations.find((each) => each.projection === projection && each.generation === generation);
  for (const name of found?.tables ?? []) db.exec(`DROP TABLE IF EXISTS ${name}`);
  for (const table of ['hl_generations', 'hl_numbers', 'hl_dead_letters'])
    db.prepare(`DELETE FROM ${table} WHERE projection = ? AND generation = ?`).run(projection, generation);
  if (generation > lastDropped(store))
    db.prepare(`INSERT OR REPLACE INTO hl_meta (name, value) VALUES ('dropped', ?)`).run(String(generation));
}

/** The highest number of a generation that was dropped: another one of that number would be taken for it by whoever followed it. */
function lastDropped({ file: { db } }: Store): number {
  const found = db.prepare(`SELECT value FROM hl_meta WHERE name = 'dropped'`).get() as { value: string } | undefined;
  return Number(found?.value ?? 0);
}

function readNumbers(store: Store, id: GenerationId, banks: readonly string[]): Map<string, BankNumbers> {
  const select = store.file.db.prepare(
    'SELECT seq, docs FROM hl_numbers WHERE projection = ? AND generation = ? AND bank = ?',
  );
  const found = new Map<string, BankNumbers>();
  for (const bank of banks) {
    const number = store.bankNumber(bank);
    const row = number === undefined ? undefined : (select.get(id.projection, id.generation, number) as BankNumbers);
    if (row) found.set(bank, { seq: row.seq, docs: row.docs });
  }
  return found;
}

function generationGone({ projection, generation }: GenerationId): HindsightError {
  return new HindsightError('checkpoint_moved', `Generation ${generation} of ${projection} was dropped meanwhile.`, {
    projection,
    generation,
  });
}
