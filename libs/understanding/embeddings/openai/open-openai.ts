import { HindsightError } from '#contract/errors.js';
import type { Embedder, EmbeddingRole, EmbedOptions, VectorSpace } from '../embedder.js';
import { type Patience, tooLate } from './ask.js';
import { batchesOf, beginningOf } from './batches.js';
import { endpointOf } from './endpoint.js';
import { type Identity, identify, type RoleForms, vectorsOf } from './identify.js';
import { sameModel, sameProbe } from './probe.js';
import { spaceNames } from './space-names.js';
import { type Taking, takenOf } from './taken.js';
import { Trouble } from './trouble.js';

export interface OpenAiOptions {
  /** `https://host/v1`, or with `/embeddings` behind it. */
  readonly url: string;
  /** What the server calls it; the only one that it serves, if not given. */
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly forms: RoleForms;
  /** Spaces that vectors are kept of: a model that is found again keeps the name of its space. */
  readonly known?: (() => Promise<readonly VectorSpace[]>) | undefined;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  readonly pace?: Partial<Pace>;
}

/** Times in milliseconds. */
export interface Pace {
  readonly batch: { readonly texts: number; readonly characters: number };
  /** Characters of a text that are sent; a server that takes fewer is given half, and half of that. */
  readonly longest: number;
  /** A question waits no longer: keywords answer it. */
  readonly question: Patience;
  readonly background: Patience;
  /** For finding out what answers: a server may load its model first, and one that is not there is looked for again by itself. */
  readonly finding: Patience;
  /** How long a question trusts that the model is still the same; texts to be kept are sent with a probe each time. */
  readonly checkEvery: number;
  /** Before a server that was away is looked for again; twice as long after each time, up to a minute. */
  readonly pause: number;
}

const usual: Pace = {
  batch: { texts: 64, characters: 60_000 },
  longest: 16_000,
  question: { try: 4_000, all: 4_000 },
  background: { try: 60_000, all: 180_000 },
  finding: { try: 60_000, all: 2_000 },
  checkEvery: 60_000,
  pause: 1_000,
};
const longestPause = 60_000;

/** The embeddings of a server that speaks as OpenAI's does. What is embedded leaves this machine, unsealed. */
export function openOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const { forms, log } = options;
  const pace = { ...usual, ...options.pace };
  const endpoint = endpointOf(options.url, options.apiKey);
  const closing = new AbortController();
  const names = spaceNames(options.known ?? (async () => []));
  let identity: Identity | undefined;
  /** The space of before, while the server is away: vectors that are kept can still be told by it. */
  let standing: VectorSpace | undefined;
  let former: VectorSpace | undefined;
  let identifying: Promise<Identity> | undefined;
  let failure: { readonly reason: string; readonly until: number } | undefined;
  let pause = pace.pause;
  let checkedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const asking = (patience: Patience, signal: AbortSignal) => ({ endpoint, patience, signal });

  function unavailable(reason: string, details: object = {}): HindsightError {
    return new HindsightError('embeddings_unavailable', `The embedding server ${endpoint.name}: ${reason}.`, {
      setting: 'embeddings',
      ...details,
    });
  }

  function failed(error: unknown): HindsightError {
    const reason = error instanceof Trouble ? error.message : 'it could not be asked';
    if (failure?.reason !== reason) log.warn({ server: endpoint.name, reason }, 'no embeddings: keywords answer');
    const now = performance.now();
    // Several that fail at once are one failure.
    if (!failure || now >= failure.until) pause = Math.min(longestPause, failure ? pause * 2 : pace.pause);
    const wait = Math.max(pause, error instanceof Trouble ? (error.retryAfter ?? 0) : 0);
    failure = { reason, until: now + wait };
    identity = undefined;
    clearTimeout(timer);
    // Nobody need ask for it to be found again.
    if (!closing.signal.aborted) timer = setTimeout(() => void found().catch(() => undefined), wait + 1).unref();
    return unavailable(reason);
  }

  function begun(now: Identity): Identity {
    if (failure) log.info({ server: endpoint.name }, 'the embedding server answers again');
    if (former && !sameModel(former, now.space))
      log.warn({ server: endpoint.name }, 'the embedding server has another model: all vectors are made anew');
    identity = now;
    standing = now.space;
    former = now.space;
    failure = undefined;
    checkedAt = performance.now();
    return now;
  }

  async function found(): Promise<Identity> {
    if (closing.signal.aborted) throw unavailable('it was closed');
    if (identity) return identity;
    if (failure && performance.now() < failure.until) throw unavailable(failure.reason);
    identifying ??= identify(options.model, forms, asking(pace.finding, closing.signal))
      .then(begun, (error: unknown) => {
        throw failed(error);
      })
      .finally(() => {
        identifying = undefined;
      });
    return identifying;
  }

  /** @throws HindsightError where the model is another one than it was */
  function check(probe: Float32Array, role: EmbeddingRole, as: Identity): void {
    if (sameProbe(probe, as.probes[role])) {
      checkedAt = performance.now();
      return;
    }
    if (identity === as) {
      identity = undefined;
      standing = undefined;
      void found().catch(() => undefined);
    }
    throw unavailable('its model is another one than before: vectors of the two cannot be compared');
  }

  async function embed(texts: readonly string[], role: EmbeddingRole, given: EmbedOptions = {}) {
    const { signal, background = false, space } = given;
    if (texts.length === 0) return [];
    const limits = background ? [] : [AbortSignal.timeout(pace.question.all)];
    const until = AbortSignal.any([closing.signal, ...(signal ? [signal] : []), ...limits]);
    try {
      const as = await orAborted(found(), until);
      if (space && space.model !== (await names.nameOf(as.space)).model)
        throw unavailable('its model is another one than the vectors were made by');
      const within = asking(background ? pace.background : pace.question, until);
      const taking: Taking = {
        ask: (which) => vectorsOf(which, { form: forms[role], model: as.model }, within),
        isDue: () => background || performance.now() - checkedAt >= pace.checkEvery,
        check: (probe) => check(probe, role, as),
        dimensions: as.space.dimensions,
      };
      const vectors: (Float32Array | undefined)[] = [];
      for (const batch of batchesOf(
        texts.map((text) => beginningOf(text, pace.longest)),
        pace.batch,
      ))
        vectors.push(...(await takenOf(batch, taking)));
      const refused = vectors.flatMap((each, at) => (each ? [] : [at]));
      if (refused.length > 0) throw unavailable(`it takes ${refused.length} of ${texts.length} texts not`, { refused });
      return vectors as Float32Array[];
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof HindsightError) throw error;
      if (closing.signal.aborted) throw unavailable('it was closed');
      if (identifying && !(error instanceof Trouble)) throw unavailable('it is still being looked at');
      throw failed(error instanceof Trouble ? error : tooLate(pace.question.all));
    }
  }

  return {
    name: endpoint.name,
    async space() {
      return names.nameOf(standing ?? (await found()).space);
    },
    state() {
      if (identity) return { state: 'ready' };
      if (failure) return { state: 'failed', reason: `The embedding server ${endpoint.name}: ${failure.reason}.` };
      return { state: identifying ? 'loading' : 'idle' };
    },
    warm: () => void found().catch(() => undefined),
    embed,
    async close() {
      clearTimeout(timer);
      closing.abort();
      await identifying?.catch(() => undefined);
    },
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
