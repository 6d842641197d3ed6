import { HindsightError, isHindsightError } from '#contract/errors.js';
import { type Checkpoint, type Generation, type GenerationId, isReadable, type ProjectionShape } from '../views.js';
import type { Connections, Role, ViewsLog } from './connections.js';
import { checkFormat, checkStore, migrate, type StoreOwner, viewsMissing } from './migrate.js';
import { isMissing, toHindsightError } from './trouble.js';

export interface StoredGeneration extends GenerationId {
  readonly version: number;
  readonly active: boolean;
  readonly former: boolean;
  /** Names of its tables, as `memories_g1`. */
  readonly tables: readonly string[];
}

/** What a process knows of the store as of one `stamp`. Immutable: look at `store.known` once per piece of work. */
export interface Known {
  /** Another one when the store was lost and made anew: bank numbers and generations of the former mean nothing. */
  readonly incarnation: string;
  /** As `Views.stamp`. */
  readonly stamp: string;
  readonly generations: readonly StoredGeneration[];
}

/** The database with what is cached of it: which generations there are, and the numbers of banks. */
export interface PostgresStore {
  readonly connections: Connections;
  readonly role: Role;
  readonly partitions: number;
  /** As of the last `refresh`. */
  readonly known: Known;
  /**
   * Rereads it when the stamp has changed. One round trip when it has not: `stampSql` in a statement of one's own spares even that.
   * @throws HindsightError views_missing (role query) · newer_format · unreachable …
   */
  refresh(): Promise<Known>;
  /** Rereads it in any case. */
  reread(): Promise<Known>;
  /** The number of a bank, remembered; undefined for one that was never seen. Works in both roles. */
  bankNumber(bank: string): Promise<number | undefined>;
  /** As `bankNumber`, of many at once; those never seen are missing. Only in the projector's role. */
  bankNumbers(banks: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** Gives numbers to banks that have none, in a transaction of its own: a number that nothing has does no harm. */
  numberBanks(banks: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** The generation of a projection that answers are read from, of this release's version. @throws HindsightError newer_format */
  inUse(shape: ProjectionShape): StoredGeneration | undefined;
  /**
   * Runs `work`. Where a table turns out to be missing: when only that generation is gone, `checkpoint_moved`; when all is gone (the
   * database was lost), the projector makes the store anew, empty, and `afterwards` is called; a query is told `views_missing`.
   */
  guarded<T>(work: () => Promise<T>, afterwards: () => Promise<T>): Promise<T>;
  /** How far each partition of a generation has come, by partition. @throws HindsightError checkpoint_moved when it was dropped */
  checkpoints(id: GenerationId): Promise<Checkpoint[]>;
}

/** The stamp as a scalar subquery; equal to `known.stamp` as long as nothing changed. Both roles may read it. */
export const stampSql = `(SELECT string_agg(value, '.' ORDER BY name) FROM hindsight.hl_meta WHERE name IN ('incarnation', 'stamp'))`;

/** Banks whose numbers are remembered; at some 100 bytes each. */
const mostBanks = 100_000;

/** @throws HindsightError views_missing (role query) · newer_format · invalid_config · database_refused · unreachable */
export async function createStore(
  connections: Connections,
  options: StoreOwner & { role: Role; log: ViewsLog },
): Promise<PostgresStore> {
  const { role, log, partitions } = options;
  const { kysely, place } = connections;
  let known: Known | undefined;
  let numbers = new Map<string, number>();
  let making: Promise<void> | undefined;

  /** Whoever finds the store missing meanwhile waits for the same one. */
  function make(): Promise<void> {
    making ??= (role === 'query' ? checkStore(connections, options) : migrate(connections, options, log)).finally(
      () => {
        making = undefined;
      },
    );
    return making;
  }

  async function read(): Promise<Known> {
    return connections.mapped(async () => {
      // Stamp first: what is made between the two statements changes the next one.
      const meta = new Map(
        (await kysely.selectFrom('hl_meta').selectAll().execute()).map(({ name, value }) => [name, value]),
      );
      const incarnation = meta.get('incarnation')!;
      const stamp = `${incarnation}.${meta.get('stamp')}`;
      if (known && known.stamp !== stamp) await checkFormat(kysely, place);
      const generations = await kysely
        .selectFrom('hl_generations')
        .selectAll()
        .orderBy('projection')
        .orderBy('generation')
        .execute();
      if (known && known.incarnation !== incarnation) numbers = new Map();
      known = { incarnation, stamp, generations };
      return known;
    });
  }

  async function isLost(): Promise<boolean> {
    const [found] = await connections.run<{ lost: boolean }>({
      text: `SELECT to_regclass('hindsight.hl_meta') IS NULL AS lost`,
    });
    return found!.lost;
  }

  async function guarded<T>(work: () => Promise<T>, afterwards: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error)) throw toHindsightError(error, place);
      if (!(await isLost()))
        throw new HindsightError('checkpoint_moved', 'A generation was dropped meanwhile.', {}, { cause: error });
      if (role === 'query') throw viewsMissing(place, error);
      log.warn({ database: place }, 'the views are gone: making them anew from the ledger');
      await make();
      await read();
      return afterwards();
    }
  }

  const reread = (): Promise<Known> => guarded(read, read);

  async function refresh(): Promise<Known> {
    return guarded(async () => {
      const [found] = await connections.run<{ stamp: string }>({ name: 'stamp', text: `SELECT ${stampSql} AS stamp` });
      return known && found!.stamp === known.stamp ? known : read();
    }, read);
  }

  function remember(rows: readonly { id: string; number: number }[], of: Known): void {
    // What was asked of the store that is no more must not be remembered for the one after it.
    if (of.incarnation !== known?.incarnation) return;
    if (numbers.size + rows.length > mostBanks) numbers = new Map();
    for (const { id, number } of rows) numbers.set(id, number);
  }

  async function bankNumbers(banks: Iterable<string>): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const unknown: string[] = [];
    for (const bank of new Set(banks)) {
      const number = numbers.get(bank);
      if (number === undefined) unknown.push(bank);
      else found.set(bank, number);
    }
    if (unknown.length === 0) return found;
    const of = known!;
    const rows = await connections.run<{ id: string; number: number }>({
      name: 'bank numbers',
      text: 'SELECT id, number FROM hindsight.hl_banks WHERE id = ANY($1)',
      values: [unknown],
    });
    remember(rows, of);
    for (const { id, number } of rows) found.set(id, number);
    return found;
  }

  await make();
  await read();

  return {
    connections,
    role,
    partitions,
    get known() {
      return known!;
    },
    refresh,
    reread,
    async bankNumber(bank) {
      const remembered = numbers.get(bank);
      if (remembered !== undefined) return remembered;
      const of = known!;
      const [row] = await connections.run<{ number: number | null }>({
        name: 'bank number',
        text: 'SELECT hindsight.hl_bank_number($1) AS number',
        values: [bank],
      });
      const number = row?.number ?? undefined;
      if (number !== undefined) remember([{ id: bank, number }], of);
      return number;
    },
    bankNumbers,
    async numberBanks(banks) {
      const all = [...new Set(banks)];
      const found = await bankNumbers(all);
      const missing = all.filter((bank) => !found.has(bank)).sort();
      if (missing.length === 0) return found;
      // In one order for everybody, so that no two wait for each other.
      await connections.run({
        text: 'INSERT INTO hindsight.hl_banks (id) SELECT id FROM unnest($1::text[]) AS new (id) ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING',
        values: [missing],
      });
      return bankNumbers(all);
    },
    inUse(shape) {
      const active = known!.generations.find((each) => each.projection === shape.name && each.active);
      if (active && active.version > shape.version) throw newerProjection(place, active, shape);
      return active && isReadable(shape, active) ? active : undefined;
    },
    guarded,
    async checkpoints(id) {
      const rows = await connections.mapped(() =>
        kysely
          .selectFrom('hl_checkpoints')
          .select(['position', 'system_time'])
          .where('projection', '=', id.projection)
          .where('generation', '=', id.generation)
          .orderBy('partition')
          .execute(),
      );
      if (rows.length === 0) throw generationGone(id);
      return rows.map(({ position, system_time }) => ({ position: position ?? undefined, systemTime: system_time }));
    },
  };
}

export function newerProjection(
  place: string,
  found: Pick<Generation, 'version' | 'projection'>,
  known: ProjectionShape,
): HindsightError {
  return new HindsightError(
    'newer_format',
    `The database at ${place} holds version ${found.version} of the projection ${known.name}, this release knows ${known.version}: a newer release wrote it. ` +
      'Install that release; or, when no process uses it any more, drop the schema hindsight: it is rebuilt from the ledger.',
    { database: place, projection: known.name, found: found.version, known: known.version },
  );
}

export function generationGone({ projection, generation }: GenerationId): HindsightError {
  return new HindsightError('checkpoint_moved', `Generation ${generation} of ${projection} was dropped meanwhile.`, {
    projection,
    generation,
  });
}

/** Whether what a reader looked up is gone, so that it should `refresh` and look again. */
export function isSwitched(error: unknown): boolean {
  return isMissing(error) || isHindsightError(error, 'checkpoint_moved');
}
