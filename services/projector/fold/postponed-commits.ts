import { isHindsightError } from '#contract/errors.js';
import { isPurging } from '#views/purge.js';
import type { Row, Table } from '#views/table.js';
import type { GenerationChange, TableChange, Views } from '#views/views.js';
import { type PiecesInHand, piecesInHand } from './pieces-in-hand.js';

/** Views whose commits of some projections wait for those of later batches. */
export interface PostponedCommits {
  /** The same views. What waits is not in them: it is to be flushed before they are read. */
  readonly views: Views;
  /** Commits what waits. @throws HindsightError as `Views.commit` does: then it is forgotten, and whoever rebuilds reads where the store is */
  flush(): Promise<void>;
  /** Commits what waits as far as nobody else has gone on with it: it is gone on with later. */
  stop(): Promise<void>;
  /** Another generation is built from now on. */
  forget(): void;
}

/**
 * Batches that a projection's rows wait for. A batch of 1,000 memories adds a few bytes to each of some 6,000 blocks of postings; eight batches add to not
 * many more than one does, so each page is looked for, written and logged far less often.
 */
const batchesTogether = 8;

interface Waiting {
  readonly first: GenerationChange;
  last: GenerationChange;
  batches: number;
  readonly numbers: Map<string, { readonly seq: number; readonly docs: number }>;
  readonly tables: Map<Table, { readonly added: Row[]; readonly pieces: PiecesInHand }>;
}

/**
 * For a rebuild: until a generation is switched to nobody reads it, and who is killed goes on from its checkpoint, which is in the same transaction as its
 * rows. Only of projections that look at no rows of their own.
 * @param waits whether a projection may wait, by name
 */
export function postponedCommits(views: Views, waits: (projection: string) => boolean): PostponedCommits {
  let waiting = new Map<string, Waiting>();

  async function commit(changes: readonly GenerationChange[]): Promise<void> {
    const held = changes.filter((each) => waits(each.id.projection));
    // What takes rows away has an order of its own: after those that came before it.
    if (held.some((each) => isPurging(each) || !onlyAdds(each))) return flush(changes);
    for (const each of held) hold(each);
    const rest = changes.filter((each) => !held.includes(each));
    if ([...waiting.values()].some(({ batches }) => batches >= batchesTogether)) await flush(rest);
    else if (rest.length) await orForget(() => views.commit(rest));
  }

  async function flush(behind: readonly GenerationChange[] = []): Promise<void> {
    const all = [...[...waiting.values()].map(joint), ...behind];
    waiting = new Map();
    if (all.length) await views.commit(all);
  }

  /** Who rebuilds reads from the store where it stands. */
  async function orForget(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      waiting = new Map();
      throw error;
    }
  }

  function hold(change: GenerationChange): void {
    const { projection, generation } = change.id;
    const key = `${projection} ${generation} ${change.partition}`;
    const found = waiting.get(key) ?? {
      first: change,
      last: change,
      batches: 0,
      numbers: new Map(),
      tables: new Map(),
    };
    waiting.set(key, found);
    found.last = change;
    found.batches++;
    for (const [bank, numbers] of change.numbers) found.numbers.set(bank, numbers);
    for (const each of change.tables) addTo(found.tables, each);
  }

  const own = { commit };
  return {
    views: new Proxy(views, {
      get: (target, name, receiver) => Reflect.get(Object.hasOwn(own, name) ? own : target, name, receiver),
    }),
    flush: () => flush(),
    stop: () =>
      flush().catch((error: unknown) => {
        if (!isHindsightError(error, 'checkpoint_moved')) throw error;
      }),
    forget() {
      waiting = new Map();
    },
  };
}

function onlyAdds({ tables, setAside }: GenerationChange): boolean {
  return setAside.length === 0 && tables.every(({ changed }) => changed.length === 0);
}

function addTo(tables: Waiting['tables'], { table, added, appended }: TableChange): void {
  const found = tables.get(table) ?? { added: [], pieces: piecesInHand(table) };
  tables.set(table, found);
  for (const row of added) found.added.push(row);
  for (const { shared, pieces } of appended) for (const [by, piece] of pieces) found.pieces.append(shared, by, piece);
}

function joint({ first, last, numbers, tables }: Waiting): GenerationChange {
  return {
    id: first.id,
    partition: first.partition,
    from: first.from,
    to: last.to,
    numbers,
    tables: [...tables].map(([table, { added, pieces }]) => ({ table, added, changed: [], appended: pieces.all() })),
    setAside: [],
  };
}
