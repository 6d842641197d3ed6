import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import { isPurging } from '#views/purge.js';
import type { GenerationChange, Views } from '#views/views.js';
import { createPlaces } from './turns.js';

type Commit = Views['commit'];

interface Waiting {
  readonly changes: readonly GenerationChange[];
  readonly rows: number;
  done(error?: unknown): void;
}

/**
 * Milliseconds that a transaction waits for what comes at the same moment: each projection hears of a flush by a connection of its own.
 */
const linger = 4;
/** Rows and pieces of rows in one transaction; what is more by itself goes by itself. */
const mostRows = 10_000;
/** Rows and pieces of rows that wait, above which a second transaction begins beside the first. */
const manyRows = 5_000;
const transactions = 2;
/** Each takes a connection of the ten that the store has, as each transaction does; others wait there for some seconds only. */
const readings = 6;

/** The same views, whose commits are joined, and which are read a few times at once. */
export function joinedViews(views: Views): Views {
  const places = createPlaces(readings);
  const own: Pick<Views, 'commit' | 'load' | 'numbersOf'> = {
    commit: joinCommits((changes) => views.commit(changes)),
    load: (id, requests) => places.take(() => views.load(id, requests)),
    numbersOf: (id, banks) => places.take(() => views.numbersOf(id, banks)),
  };
  return new Proxy(views, {
    get: (target, name, receiver) => Reflect.get(Object.hasOwn(own, name) ? own : target, name, receiver),
  });
}

/**
 * Commits what several projections and partitions have ready at the same moment in one transaction. A flush of the feed brings a few
 * events to each partition, and each projection takes them by itself: one by one they were 20 to 30 transactions of four round trips each,
 * which cost the projector and PostgreSQL several times what the rows do. Where a joint one fails, each of it is committed by itself, so
 * that one that cannot be written keeps none of the others.
 */
export function joinCommits(commit: Commit): Commit {
  let waiting: Waiting[] = [];
  let running = 0;
  /** Partitions of generations that are being written. */
  const busy = new Set<string>();

  function next(): void {
    const rows = waiting.reduce((sum, each) => sum + each.rows, 0);
    if (waiting.length === 0 || running >= (rows > manyRows ? transactions : 1)) return;
    running += 1;
    void run().finally(() => {
      running -= 1;
      next();
    });
  }

  async function run(): Promise<void> {
    await sleep(linger);
    const taken = take();
    const keys = taken.flatMap(({ changes }) => changes.map(keyOf));
    for (const key of keys) busy.add(key);
    await write(taken);
    for (const key of keys) busy.delete(key);
  }

  async function write(taken: readonly Waiting[]): Promise<void> {
    if (taken.length > 1 && (await isCommitted(taken))) return;
    await Promise.all(
      taken.map(({ changes, done }) =>
        commit(changes).then(
          () => done(),
          (error: unknown) => done(error),
        ),
      ),
    );
  }

  async function isCommitted(taken: readonly Waiting[]): Promise<boolean> {
    try {
      await commit(inOneOrder(taken));
    } catch (error) {
      // Whoever cannot reach the database cannot do so one by one, either.
      if (!isHindsightError(error, 'unreachable')) return false;
      for (const { done } of taken) done(error);
      return true;
    }
    for (const { done } of taken) done();
    return true;
  }

  /** From the front, as much as one transaction takes; of a partition of a generation what came first. */
  function take(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const keys = new Set(busy);
    let rows = 0;
    for (const each of waiting) {
      const own = each.changes.map(keyOf);
      const fits = taken.length === 0 || rows + each.rows <= mostRows;
      (fits && !own.some((key) => keys.has(key)) ? taken : left).push(each);
      if (taken.at(-1) === each) rows += each.rows;
      for (const key of own) keys.add(key);
    }
    waiting = left;
    return taken;
  }

  return (changes) => {
    // What takes rows away has an order of its own within its transaction.
    if (changes.length === 0 || changes.some(isPurging)) return commit(changes);
    return new Promise((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      waiting.push({ changes, rows: rowsOf(changes), done });
      next();
    });
  };
}

/** The same tables in the same order are the same statement, which the server knows already. */
function inOneOrder(taken: readonly Waiting[]): GenerationChange[] {
  return taken.flatMap(({ changes }) => changes).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ id, partition }: GenerationChange): string {
  return `${id.projection} ${id.generation} ${partition}`;
}

function rowsOf(changes: readonly GenerationChange[]): number {
  let rows = 0;
  for (const { tables } of changes)
    for (const { added, changed, appended } of tables) {
      rows += added.length + changed.length;
      for (const { pieces } of appended) rows += pieces.size;
    }
  return rows;
}
