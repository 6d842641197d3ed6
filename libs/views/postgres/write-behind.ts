import { HindsightError } from '#contract/errors.js';
import { isPurging } from '../purge.js';
import type { BankNumbers, GenerationChange, GenerationId, Views, ViewsBehind } from '../views.js';
import { finish, isBare } from './bare.js';
import { type Gathered, type Gathering, gather } from './gather.js';
import type { PostgresStore } from './store.js';
import { banksOf, writeAll } from './write-changes.js';

/**
 * Gathered before it is written: bytes of rows, where none grows; pieces of those that do, since each that comes to one which is in hand spares a row
 * that would have to be put together later. Some 200 MB of this process at most, for about 100,000 memories of a sentence or two.
 */
const enough = { bytes: 2 * 1024 * 1024, pieces: 2_000_000, bytesBesidePieces: 96 * 1024 * 1024 };

/** What one generation is still to be given. */
interface Behind {
  readonly id: GenerationId;
  gathering: Gathering | undefined;
  /** As a projector would find them, once all is written. */
  numbers: Map<string, BankNumbers>;
  writing: Promise<void> | undefined;
  failed: { readonly error: unknown } | undefined;
}

/**
 * Views that take what is committed to bare generations and write it while whoever commits goes on: each generation by itself, in few large transactions.
 * A checkpoint is in the transaction of its rows.
 */
export function writeBehind(store: PostgresStore, views: Views): ViewsBehind {
  const all = new Map<string, Behind>();

  function behindOf(id: GenerationId): Behind {
    const key = `${id.projection} ${id.generation}`;
    let behind = all.get(key);
    if (!behind) {
      behind = { id, gathering: undefined, numbers: new Map(), writing: undefined, failed: undefined };
      all.set(key, behind);
    }
    return behind;
  }

  /** Begins to write, once what is being written is there. */
  async function begin(behind: Behind): Promise<void> {
    await behind.writing;
    insist(behind);
    const { gathering } = behind;
    if (!gathering) return;
    behind.gathering = undefined;
    const gathered = gathering.all;
    behind.numbers = new Map(gathered.numbers);
    behind.writing = write(gathered)
      .catch((error: unknown) => {
        behind.failed = { error };
        // What came after it rests on it.
        behind.gathering = undefined;
      })
      .finally(() => {
        behind.writing = undefined;
        if (!behind.gathering) behind.numbers = new Map();
      });
  }

  async function write(gathered: Gathered): Promise<void> {
    const numbers = await store.bankNumbers(gathered.numbers.keys());
    await store.guarded(
      () => writeAll(store, { changes: [], bare: [gathered], numbers }),
      async () => {
        throw new HindsightError('checkpoint_moved', 'The views were lost and made anew, empty.');
      },
    );
  }

  /** What went wrong is said once: whoever hears it begins from what is there. */
  function insist(behind: Behind): void {
    const { failed } = behind;
    if (!failed) return;
    behind.failed = undefined;
    behind.gathering = undefined;
    behind.numbers = new Map();
    throw failed.error;
  }

  async function settle(behinds: Iterable<Behind>): Promise<void> {
    const each = [...behinds];
    await Promise.all(
      each.map(async (behind) => {
        await begin(behind);
        await behind.writing;
        insist(behind);
      }),
    );
  }
  const settled = () => settle(all.values());
  const settledOf = async (ids: readonly GenerationId[]) => settle(ids.map(behindOf));
  const settledAll = async <T>(work: () => Promise<T>): Promise<T> => {
    await settled();
    return work();
  };

  async function take(changes: readonly GenerationChange[]): Promise<void> {
    const numbers = await store.numberBanks(banksOf(changes));
    for (const change of changes) {
      const behind = behindOf(change.id);
      insist(behind);
      behind.gathering ??= gather(change.id);
      behind.gathering.add(change, numbers);
      for (const [bank, each] of change.numbers) behind.numbers.set(bank, each);
    }
    for (const { id } of changes) {
      const behind = behindOf(id);
      if (behind.gathering && isEnough(behind.gathering.all)) await begin(behind);
    }
  }

  return {
    ...views,
    settled,
    async commit(changes) {
      const isPlain = (change: GenerationChange) =>
        isBare(store, change.id) && !isPurging(change) && change.setAside.length === 0;
      if (changes.every(isPlain)) return take(changes);
      await settledOf(changes.map(({ id }) => id));
      await views.commit(changes);
    },
    async numbersOf(id, banks) {
      const behind = behindOf(id);
      insist(behind);
      // As they are before it is asked: what is written meanwhile is in one or the other.
      const { numbers } = behind;
      const found = await views.numbersOf(id, banks);
      for (const bank of banks) {
        const later = numbers.get(bank);
        if (later) found.set(bank, later);
      }
      return found;
    },
    async load(id, requests) {
      await settledOf([id]);
      return views.load(id, requests);
    },
    generations: () => settledAll(() => views.generations()),
    checkpoints: (id) => settledAll(() => views.checkpoints(id)),
    async countRows(id) {
      await settled();
      // All of them at once: each is asked for.
      await store.guarded(
        () =>
          finish(
            store,
            [...all.values()].map((behind) => behind.id),
          ),
        async () => undefined,
      );
      return views.countRows(id);
    },
    dump: (id) => settledAll(() => views.dump(id)),
    switchTo: (ids) => settledAll(() => views.switchTo(ids)),
    async drop(ids) {
      for (const { projection, generation } of ids) all.delete(`${projection} ${generation}`);
      await views.drop(ids);
    },
  };
}

function isEnough({ weight, appended }: Gathered): boolean {
  if (appended.size === 0) return weight.bytes >= enough.bytes;
  return weight.pieces >= enough.pieces || weight.bytes >= enough.bytesBesidePieces;
}
