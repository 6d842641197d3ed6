import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import type { BankBehind } from '#views/vectors.js';
import { vectorBlockMaker } from './block-vectors.js';
import { type BankEmbedding, bankEmbedding, type EmbeddingDeps } from './embed-batch.js';
import { passageSpaces } from './passage-spaces.js';
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
  const release = () => views.release(embedLease, holder).catch(() => undefined);
  const spaces = passageSpaces(views, embedder, log);
  const blocks = vectorBlockMaker(deps);
  let banks = new Map<string, BankEmbedding>();
  let embedsBy: string | undefined;
  let wakeUp: () => void = () => undefined;

  /** One batch of some bank. @returns what is left to be done after it, or undefined for nothing */
  async function step(signal?: AbortSignal): Promise<readonly BankBehind[] | undefined> {
    const { model, space } = await spaces.open();
    if (embedsBy !== model.model) banks = new Map();
    embedsBy = model.model;
    const behind = await views.vectors.behind(space, banksAtOnce);
    if (behind.length === 0) {
      banks = new Map();
      await spaces.dropFormer(space);
      await blocks.make(space, signal);
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

  /** With the lease kept while it lasts; given up at the end, and where it fails, for another process may do better. */
  async function held<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    const renewing = setInterval(() => void lease().catch(() => false), leaseMs / 3).unref();
    let left: T | undefined;
    try {
      left = await work();
      return left;
    } finally {
      clearInterval(renewing);
      if (left === undefined) await release();
    }
  }

  return {
    wake: () => wakeUp(),
    async background(signal) {
      await runEmbedding(signal, {
        ...times,
        log,
        isNeeded: () => spaces.areBehind(),
        warm: () => embedder.warm(),
        isMine: lease,
        rest: release,
        step: () => held(() => step(signal)),
        afterwards: {
          async isNeeded() {
            const space = (await views.vectors.spaces()).at(-1);
            return space !== undefined && (await blocks.areMissing(space));
          },
          step: () =>
            held(async () => {
              const space = (await views.vectors.spaces()).at(-1);
              if (space) await blocks.make(space, signal);
              return undefined;
            }),
        },
        onWake: (wake) => {
          wakeUp = wake;
        },
      });
      await release();
    },

    async untilDone({ signal, onProgress } = {}) {
      if (!(await spaces.areBehind()) && embedder.state().state !== 'ready') return;
      embedder.warm();
      let done = 0;
      let known: number | undefined;
      try {
        while (!signal?.aborted) {
          const isMine = await lease();
          const behind = isMine ? await held(() => step(signal)) : await left();
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
        await release();
      }
    },
  };

  /** While another process embeds. */
  async function left(): Promise<readonly BankBehind[] | undefined> {
    const behind = await views.vectors.behind(passageSpace(await embedder.space()), banksAtOnce);
    return behind.length > 0 ? behind : undefined;
  }
}

/** Vectors that a bank lacks. */
function openOf({ docs, mark, blanks }: BankBehind): number {
  return docs - mark + blanks;
}
