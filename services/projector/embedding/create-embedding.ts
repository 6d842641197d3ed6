import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import type { BankBehind } from '#views/vectors.js';
import { type BankEmbedding, bankEmbedding, type EmbeddingDeps } from './embed-batch.js';
import { runEmbedding } from './run-embedding.js';

export interface EmbedProgress {
  /** Versions whose vectors were made since it began, and how many there are to be made in all. */
  readonly done: number;
  readonly of: number;
}

export interface UntilDoneOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EmbedProgress) => void;
}

/** Versions in, vectors out: in the background, by one process at a time. */
export interface Embedding {
  /** Looks at once for what is to be embedded: something was projected. */
  wake(): void;
  /**
   * Embeds what has no vector until the signal aborts. The model is loaded when there is something to embed; while it cannot be had, or
   * another process is at it, nothing happens.
   */
  background(signal: AbortSignal): Promise<void>;
  /**
   * Embeds all that has no vector yet, in whatever bank; or waits for the process that does.
   * @throws HindsightError embeddings_unavailable, and what the views or the keys fail with
   */
  untilDone(options?: UntilDoneOptions): Promise<void>;
}

/** Of the processes that share a store, the one with this lease embeds. */
const embedLease = 'embed';
/** Milliseconds after which another process goes on when the holder was killed. */
const leaseMs = 5_000;
/** Milliseconds between looks at what another process has done. */
const othersEvery = 200;
/** Banks looked up at once. */
const banksAtOnce = 100;

export interface EmbeddingTimes {
  /** Milliseconds until the first look after the start, and between looks while nothing is told. */
  readonly firstLook?: number;
  readonly lookEvery?: number;
  /** After a failure: doubled with each further one. */
  readonly backOff?: number;
  readonly longestBackOff?: number;
}

export function createEmbedding(deps: EmbeddingDeps, times: EmbeddingTimes = {}): Embedding {
  const { views, embedder, log } = deps;
  const holder = randomUUID();
  const lease = () => views.lease(embedLease, holder, leaseMs);
  let banks = new Map<string, BankEmbedding>();
  let made: string | undefined;
  let wakeUp: () => void = () => undefined;

  /** What is to be done, as far as that can be told without the model: as if it were the one that was used last. */
  async function isNeeded(): Promise<boolean> {
    const last = (await views.vectors.spaces()).at(-1) ?? { model: 'none', dimensions: 1 };
    return (await views.vectors.behind(last, 1)).length > 0;
  }

  /** The space of today's passages, made where there is none. @throws HindsightError embeddings_unavailable */
  async function openSpace(): Promise<{ model: VectorSpace; space: VectorSpace }> {
    const model = await embedder.space();
    const space = passageSpace(model);
    const spaces = await views.vectors.spaces();
    const isThere = spaces.some((each) => isSame(each, space));
    // A store that was made anew has none.
    if (!isThere && made === space.model && spaces.length > 0) throw supplanted(embedder.name);
    if (!isThere) await views.vectors.make(space);
    if (made !== space.model) banks = new Map();
    made = space.model;
    return { model, space };
  }

  /** One batch of some bank. @returns what is left to be done after it, or undefined for nothing */
  async function step(signal?: AbortSignal): Promise<readonly BankBehind[] | undefined> {
    const { model, space } = await openSpace();
    const behind = await views.vectors.behind(space, banksAtOnce);
    if (behind.length === 0) {
      banks = new Map();
      await dropFormer(space);
      return undefined;
    }
    // A large import keeps nobody else waiting.
    const next = behind.reduce((one, other) => (openOf(other) < openOf(one) ? other : one));
    const bank = banks.get(next.bank) ?? bankEmbedding(deps, next.bank, model);
    banks.set(next.bank, bank);
    try {
      if (!(await bank.next(next.docs, signal))) banks.delete(next.bank);
    } catch (error) {
      banks.delete(next.bank);
      // Something was erased meanwhile, or another process was faster: what is there now is read again.
      if (!isHindsightError(error, 'checkpoint_moved')) throw error;
    }
    return behind;
  }

  /** The same, with the lease kept while it lasts; given up where it fails, for another process may do better. */
  async function held(signal?: AbortSignal): Promise<readonly BankBehind[] | undefined> {
    const renewing = setInterval(() => void lease().catch(() => false), leaseMs / 3).unref();
    try {
      return await step(signal);
    } catch (error) {
      clearInterval(renewing);
      await views.release(embedLease, holder).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Spaces that were made before the one that has caught up: nobody asks them any more. */
  async function dropFormer(space: VectorSpace): Promise<void> {
    const spaces = await views.vectors.spaces();
    for (const former of spaces.slice(
      0,
      spaces.findIndex((each) => isSame(each, space)),
    )) {
      await views.vectors.drop(former);
      log.info(
        { space: former.model.slice(0, 16) },
        'removed the vectors of a former model: all are made by the new one',
      );
    }
  }

  return {
    wake: () => wakeUp(),
    async background(signal) {
      await runEmbedding(signal, {
        ...times,
        log,
        isNeeded,
        isReady: () => embedder.state().state === 'ready',
        warm: () => embedder.warm(),
        isMine: lease,
        step: () => held(signal),
        onWake: (wake) => {
          wakeUp = wake;
        },
      });
      await views.release(embedLease, holder).catch(() => undefined);
    },

    async untilDone({ signal, onProgress } = {}) {
      if (!(await isNeeded()) && embedder.state().state !== 'ready') return;
      embedder.warm();
      let done = 0;
      let known: number | undefined;
      try {
        while (!signal?.aborted) {
          const isMine = await lease();
          const behind = isMine ? await held(signal) : await left();
          if (!behind) return;
          const open = behind.reduce((sum, each) => sum + openOf(each), 0);
          if (known !== undefined && open < known) done += known - open;
          known = open;
          onProgress?.({ done, of: done + open });
          if (!isMine) await sleep(othersEvery, undefined, { signal });
        }
      } catch (error) {
        if (!signal?.aborted) throw error;
      } finally {
        await views.release(embedLease, holder).catch(() => undefined);
      }
    },
  };

  /** While another process embeds. */
  async function left(): Promise<readonly BankBehind[] | undefined> {
    const behind = await views.vectors.behind(passageSpace(await embedder.space()), banksAtOnce);
    return behind.length > 0 ? behind : undefined;
  }
}

function isSame(one: VectorSpace, other: VectorSpace): boolean {
  return one.model === other.model && one.dimensions === other.dimensions;
}

/** Vectors that a bank lacks. */
function openOf({ docs, mark, blanks }: BankBehind): number {
  return docs - mark + blanks;
}

function supplanted(name: string): HindsightError {
  return new HindsightError(
    'embeddings_unavailable',
    `Another process on these views embeds by another model than ${name}, and has removed what was made by it. Give both the same settings.`,
    { name },
  );
}
