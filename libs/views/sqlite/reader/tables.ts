import type { StatementSyncInstance } from '@photostructure/sqlite';
import { HindsightError } from '#contract/errors.js';
import { findingsShape } from '../../tables/findings.js';
import { keywordsShape } from '../../tables/keywords.js';
import { memoriesShape } from '../../tables/memories.js';
import { ratingsShape } from '../../tables/ratings.js';
import { recallsShape } from '../../tables/recalls.js';
import { statsShape } from '../../tables/stats.js';
import { versionsShape } from '../../tables/versions.js';
import type { ProjectionShape } from '../../views.js';
import { guarded, isMissingTable, type Store } from '../store.js';

/** One bank, seen through the generations in use. */
export interface BankView {
  /** The bank's number in this file. */
  readonly bank: number;
  /** A statement whose tables are written `{versions}`. Answers in objects. */
  sql(text: string): StatementSyncInstance;
  /** The same, answering in arrays: for many rows. */
  arrays(text: string): StatementSyncInstance;
}

export interface Tables {
  /** Runs `work` on a bank; `empty` is the answer for a bank that was never seen. */
  read<T>(bank: string, work: (view: BankView) => T, empty: T): Promise<T>;
  /** The same over all banks, for the few questions that are about banks themselves. */
  readAll<T>(work: (view: Omit<BankView, 'bank'>) => T): Promise<T>;
  bankId(number: number): string;
}

/** How a file that was put in the place of another comes to hold what that one held. */
export interface Filling {
  /** Whether the file is another one than what was filled last: what it lacks may only not have been projected yet. */
  isDue(): boolean;
  refill(): Promise<void>;
}

const shapes: readonly ProjectionShape[] = [
  memoriesShape,
  versionsShape,
  keywordsShape,
  ratingsShape,
  findingsShape,
  statsShape,
  recallsShape,
];

const projectionOf = new Map(shapes.flatMap((shape) => shape.tables.map(({ name }) => [name, shape] as const)));

export function createTables(store: Store, { isDue, refill }: Filling): Tables {
  let statements = new Map<string, StatementSyncInstance>();
  let rows = new Map<string, StatementSyncInstance>();
  let stamp = '';

  function resolve(text: string): string {
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const shape = projectionOf.get(name)!;
      const generation = store.inUse(shape);
      if (generation) return `${name}_g${generation.generation}`;
      throw new HindsightError('checkpoint_moved', `The views hold no ${shape.name} of this release yet.`, {
        projection: shape.name,
      });
    });
  }

  function sql(text: string): StatementSyncInstance {
    let statement = statements.get(text);
    if (!statement) {
      statement = store.file.db.prepare(resolve(text));
      statements.set(text, statement);
    }
    return statement;
  }

  function arrays(text: string): StatementSyncInstance {
    let statement = rows.get(text);
    if (!statement) {
      statement = store.file.db.raw.prepare(resolve(text));
      statement.setReturnArrays(true);
      rows.set(text, statement);
    }
    return statement;
  }

  function fresh(): void {
    store.refresh();
    if (stamp === store.stamp) return;
    statements = new Map();
    rows = new Map();
    stamp = store.stamp;
  }

  async function attempt<T>(work: () => T): Promise<T> {
    if (isDue()) await refill();
    try {
      fresh();
      return work();
    } catch (error) {
      if (!isSwitched(error)) throw error;
    }
    // A generation was dropped between looking and reading, or none is there yet.
    await refill();
    fresh();
    return work();
  }

  const read = <T>(work: () => T): Promise<T> =>
    guarded(
      store,
      () => attempt(work),
      async () => {
        await refill();
        return attempt(work);
      },
    );

  return {
    read: (bank, work, empty) =>
      read(() => {
        const number = store.bankNumber(bank);
        return number === undefined ? empty : work({ bank: number, sql, arrays });
      }),
    readAll: (work) => read(() => work({ sql, arrays })),
    bankId: (number) => store.bankId(number),
  };
}

function isSwitched(error: unknown): boolean {
  if (error instanceof HindsightError) return error.code === 'checkpoint_moved';
  return isMissingTable(error);
}
