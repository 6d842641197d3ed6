import { HindsightError } from '#contract/errors.js';
import { isDamage } from '#sqlite/damage.js';
import { type Generation, isReadable, type ProjectionShape } from '../views.js';
import type { ViewsFile } from './views-file.js';

/** An open views file with what is cached of it: the generations there are, and the numbers of banks. */
export interface Store {
  readonly file: ViewsFile;
  /** As of the last `refresh`. */
  readonly generations: readonly StoredGeneration[];
  readonly stamp: string;
  /** Rereads the generations when another process has written since. */
  refresh(): void;
  /** Rereads them in any case: after this process changed them. */
  reread(): void;
  /** The number that a bank has in this file; undefined for one that was never seen. */
  bankNumber(bank: string): number | undefined;
  bankId(number: number): string;
  /** As `bankNumber`, giving one where there is none. Only inside a transaction. */
  numberBank(bank: string): number;
  /** After a rollback: numbers given inside it are void. */
  forgetBanks(): void;
  /** The generation of a projection that answers are read from. @throws HindsightError newer_format */
  inUse(shape: ProjectionShape): Generation | undefined;
}

/** What stands in the column `active`. */
export const states = { building: 0, active: 1, former: -1 } as const;

export interface StoredGeneration extends Generation {
  readonly tables: readonly string[];
}

interface GenerationRecord {
  projection: string;
  generation: number;
  version: number;
  active: number;
  position: string | null;
  system_time: string;
  tables: string;
}

export function createStore(file: ViewsFile): Store {
  let generations: StoredGeneration[] = [];
  let stamp = '';
  let openings = 0;
  let numberedIn = 0;
  let dataVersion = -1;
  let numbers = new Map<string, number>();
  let ids = new Map<number, string>();

  function reread(): void {
    const { db } = file;
    generations = (
      db.prepare('SELECT * FROM hl_generations ORDER BY projection, generation').all() as GenerationRecord[]
    ).map((record) => ({
      projection: record.projection,
      generation: record.generation,
      version: record.version,
      active: record.active === states.active,
      former: record.active === states.former,
      position: record.position ?? undefined,
      systemTime: record.system_time,
      tables: JSON.parse(record.tables) as string[],
    }));
    const counted = db.prepare(`SELECT value FROM hl_meta WHERE name = 'stamp'`).get() as { value: string };
    stamp = `${file.openings}.${counted.value}`;
  }

  /** Another file numbers its banks anew, and it may have been opened at any `await`. */
  function forgetAnotherFile(): void {
    if (numberedIn === file.openings) return;
    numberedIn = file.openings;
    numbers = new Map();
    ids = new Map();
  }

  function bankNumber(bank: string): number | undefined {
    forgetAnotherFile();
    const known = numbers.get(bank);
    if (known !== undefined) return known;
    const row = file.db.prepare('SELECT number FROM hl_banks WHERE id = ?').get(bank) as { number: number } | undefined;
    if (row) numbers.set(bank, row.number);
    return row?.number;
  }

  return {
    file,
    get generations() {
      return generations;
    },
    get stamp() {
      return stamp;
    },
    refresh() {
      const { data_version: now } = file.db.prepare('PRAGMA data_version').get() as { data_version: number };
      if (now === dataVersion && openings === file.openings) return;
      reread();
      dataVersion = now;
      openings = file.openings;
    },
    reread,
    bankNumber,
    bankId(number) {
      forgetAnotherFile();
      const known = ids.get(number);
      if (known !== undefined) return known;
      const { id } = file.db.prepare('SELECT id FROM hl_banks WHERE number = ?').get(number) as { id: string };
      ids.set(number, id);
      return id;
    },
    numberBank(bank) {
      const known = bankNumber(bank);
      if (known !== undefined) return known;
      const { lastInsertRowid } = file.db.prepare('INSERT INTO hl_banks (id) VALUES (?)').run(bank);
      numbers.set(bank, Number(lastInsertRowid));
      return Number(lastInsertRowid);
    },
    forgetBanks() {
      numbers = new Map();
      ids = new Map();
    },
    inUse(shape) {
      const active = generations.find((each) => each.projection === shape.name && each.active);
      if (active && active.version > shape.version) throw newerProjection(file.path, active, shape);
      return active && isReadable(shape, active) ? active : undefined;
    },
  };
}

export function newerProjection(path: string, found: Generation, known: ProjectionShape): HindsightError {
  return new HindsightError(
    'newer_format',
    `${path} holds version ${found.version} of the projection ${known.name}, this release knows ${known.version}: a newer release wrote it. ` +
      'Install that release; or, when no process uses it any more, delete the file: it is rebuilt from the ledger.',
    { file: path, projection: known.name, found: found.version, known: known.version },
  );
}

/** A generation was dropped between looking it up and reading it. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof Error && /no such table/.test(error.message);
}

/** Runs `work`; when the file turns out to be damaged, puts an empty one in its place and calls `afterwards`. */
export async function guarded<T>(store: Store, work: () => T | Promise<T>, afterwards: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    await store.file.replaceDamaged(error);
    store.refresh();
    return await afterwards();
  }
}
