import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#contract/caller.js';
import type { EnrichInput, EnrichOutput } from '#contract/enrich.js';
import type { ModelReader } from '#understanding/enrich/model-reader.js';
import { understandingVersion } from '#understanding/understanding-version.js';
import type { Views } from '#views/views.js';
import { type EmbeddingTimes } from '../embedding/create-embedding.js';
import { runEmbedding } from '../embedding/run-embedding.js';
import { type Backlog, backlog } from './backlog.js';
import { budget } from './budget.js';
import type { NoteDeps } from './open-note.js';
import { readBatch } from './read-batch.js';

export interface EnrichmentDeps extends NoteDeps {
  readonly views: Views;
  readonly reader: ModelReader;
  /** Puts on record what was found: ingest's command. */
  readonly record: (input: EnrichInput, caller: Caller) => Promise<EnrichOutput>;
  /** Tokens that may be read and written within any 24 hours, over all banks; 0 for no bound. */
  readonly tokensPerDay: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Versions in, what a model finds in them out: in the background, by one process at a time. */
export interface Enrichment {
  /** Looks at once for what is to be read: something was projected. */
  wake(): void;
  /** Reads what was not read yet until the signal aborts. While the model's server is away, or the tokens of a day are spent, it waits. */
  background(signal: AbortSignal): Promise<void>;
  /**
   * Reads all that was not read yet and may be, in whatever bank; what other processes are at is left to them.
   * @throws Trouble where the model's server cannot be had, and what the views, the keys or ingest fail with
   */
  untilDone(signal?: AbortSignal): Promise<void>;
}

/** Of the processes that share a store, the one with this lease asks the model. */
const enrichLease = 'enrich';
/** Milliseconds after which another process goes on when the holder was killed. */
const leaseMs = 5_000;
/** A server that is away is asked again after this many milliseconds, twice as long each time, up to the longest. */
const firstPause = 5_000;
const longestPause = 600_000;
/**
 * Milliseconds between looks at all banks, for each of them, and at most: a question to the views for each takes about one, and among ten
 * thousand banks something is always written.
 */
const perBank = 5;
const longestPerBank = 60_000;
/** Milliseconds between looks at whether what was recorded has been projected. */
const projectedEvery = 50;

export function createEnrichment(deps: EnrichmentDeps, times: EmbeddingTimes = {}): Enrichment {
  const { views, reader, log, now } = deps;
  const holder = randomUUID();
  const lease = () => views.lease(enrichLease, holder, leaseMs);
  const release = () => views.release(enrichLease, holder).catch(() => undefined);
  const backlogs = new Map<string, Backlog>();
  const spending = budget(
    deps.tokensPerDay,
    (since) => [...backlogs.values()].reduce((sum, each) => sum + each.spentSince(since), 0),
    now,
  );
  const fruitless = { count: 0 };
  let looked: string | undefined;
  let lookAgain = 0;
  let isPaused = false;
  let wakeUp: () => void = () => undefined;

  /** How far the views have come: while they stand there, nothing is new. */
  async function projected(): Promise<string> {
    const inUse = (await views.generations()).filter(({ active }) => active);
    return inUse.map(({ projection, generation, position }) => `${projection} ${generation} ${position ?? ''}`).join();
  }

  async function refresh(): Promise<void> {
    const at = await projected();
    if (at === looked || performance.now() < lookAgain) return;
    const banks = await views.reader().banks();
    lookAgain = performance.now() + Math.min(banks.length * perBank, longestPerBank);
    for (const { bank, type } of banks) {
      if (type === 'BankErased') {
        backlogs.delete(bank);
        continue;
      }
      const known = backlogs.get(bank) ?? backlog(() => views.reader(), bank, reader.fingerprint);
      backlogs.set(bank, known);
      await known.refresh();
    }
    looked = at;
  }

  const waiting = (): number => [...backlogs.values()].reduce((sum, each) => sum + each.size(), 0);

  async function isNeeded(): Promise<boolean> {
    await refresh();
    return waiting() > 0;
  }

  /** One batch of some bank, the one with the least to be read first, so that a large import keeps nobody else waiting. */
  async function step(signal: AbortSignal): Promise<boolean> {
    await refresh();
    const order = [...backlogs]
      .filter(([, each]) => each.size() > 0)
      .sort(([, one], [, other]) => one.size() - other.size());
    for (const [bank, own] of order) {
      const came = await readBatch({ ...deps, rules: understandingVersion, spending, fruitless }, bank, own, signal);
      if (came === 'read') {
        isPaused = false;
        return true;
      }
      if (came === 'spent') {
        if (!isPaused)
          log.info(
            { waiting: waiting(), tokens_per_day: deps.tokensPerDay },
            'the tokens of a day are spent: the model reads on when there are some again',
          );
        isPaused = true;
        return false;
      }
    }
    return false;
  }

  /** The same, with the lease kept while it lasts. */
  async function held(signal: AbortSignal): Promise<true | undefined> {
    const renewing = setInterval(() => void lease().catch(() => false), leaseMs / 3).unref();
    let isLeft = false;
    try {
      isLeft = await step(signal);
      return isLeft || undefined;
    } finally {
      clearInterval(renewing);
      if (!isLeft) await release();
    }
  }

  return {
    wake: () => wakeUp(),
    async background(signal) {
      await runEmbedding(signal, {
        backOff: firstPause,
        longestBackOff: longestPause,
        ...times,
        log,
        failing: 'the language model reads nothing for now: rules are enough meanwhile, and it is asked again',
        isNeeded,
        warm: () => undefined,
        isMine: lease,
        rest: release,
        step: () => held(signal),
        onWake: (wake) => {
          wakeUp = wake;
        },
      });
      await release();
    },
    async untilDone(signal = new AbortController().signal) {
      try {
        // What was written a moment ago counts as well, though looking costs: nothing follows that would look again.
        const isLeft = (): Promise<boolean> => {
          lookAgain = 0;
          return isNeeded();
        };
        while (!signal.aborted && (await isLeft()) && (await lease()) && (await held(signal)))
          await sleep(projectedEvery);
      } finally {
        await release();
      }
    },
  };
}
