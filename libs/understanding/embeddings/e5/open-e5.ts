import { createHash } from 'node:crypto';
import { HindsightError } from '#contract/errors.js';
import type { Embedder, EmbedderState, EmbeddingRole, VectorSpace } from '../embedder.js';
import type { ModelPlaces } from './model.js';
import type { ModelHost, OpenHost } from './model-host.js';
import { dimensions, mostPieces, networkVersion } from './network.js';
import { expectedChecksum } from './pack.js';
import { shippedPlaces } from './places.js';
import { type InHand, type Lane, type QueuedText, textQueue, whoTakes } from './text-queue.js';
import { workerHost } from './worker-host.js';

/** Pieces after which a text is cut: about 180 English words or 350 Han characters. */
const defaultPieces = 256;
/** Milliseconds that a timer takes at most. */
const longest = 2 ** 31 - 1;

export interface E5Options {
  /** Of model.bin and SHA256SUMS, instead of the one that is shipped. */
  readonly folder?: string;
  /** How many texts at once, each in a thread with a copy of the weights (60 MB); 1 where nothing is said. */
  readonly threads?: number;
  /** Pieces after which a text is cut, at most 512. Another number is another space of vectors. */
  readonly pieces?: number;
  readonly log?: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** The compiled program of the thread, where it isn't beside this one. */
  readonly worker?: string;
  /** Instead of the fastest build that this machine runs. */
  readonly build?: ModelPlaces['build'];
}

interface Computing extends InHand {
  readonly host: ModelHost;
  readonly inHand: Set<Lane>;
}

/**
 * The shipped model: multilingual-e5-small for English and Chinese, without network or native code. Nothing is loaded before `warm` or
 * `embed`. What is asked goes before what is made in the background, and waits for one layer of one text at most (a twelfth of it).
 */
export function openE5(options: E5Options = {}): Embedder {
  const { threads = 1, pieces = defaultPieces, log } = options;
  if (!(Number.isInteger(pieces) && pieces >= 8 && pieces <= mostPieces))
    throw new HindsightError('invalid_config', `pieces is ${pieces}; 8 to ${mostPieces} are taken.`);
  const queue = textQueue();
  const hosts: ModelHost[] = [];
  /** Once they are loaded. */
  const computing: Computing[] = [];
  let state: EmbedderState = 'idle';
  let reason: string | undefined;
  let loading: Promise<VectorSpace> | undefined;

  const unavailable = (): HindsightError =>
    new HindsightError('embeddings_unavailable', `The model e5 can't be used: ${reason}`);

  const end = (why: string): void => {
    if (state === 'failed') return;
    state = 'failed';
    reason = why;
    for (const text of queue.clear()) text.reject(unavailable());
    for (const host of hosts.splice(0)) void host.close();
  };
  const fail = (why: string): void => {
    if (state !== 'failed') log?.warn({ model: 'e5', reason: why }, 'embeddings are not available');
    end(why);
  };

  const load = async (): Promise<VectorSpace> => {
    const began = performance.now();
    try {
      const shipped = shippedPlaces();
      const worker = options.worker ?? shipped.worker;
      const open: OpenHost = worker ? workerHost(worker) : (await import('./local-host.js')).localHost;
      const folder = options.folder ?? shipped.folder;
      const model = fingerprint(await expectedChecksum(folder), pieces);
      if (state === 'failed') throw unavailable();
      const places = { folder, kernels: shipped.kernels, pieces, build: options.build };
      for (let at = 0; at < (worker ? threads : 1); at++) hosts.push(open(places, fail));
      const [build] = await Promise.all(hosts.map(({ loaded }) => loaded));
      if (state !== 'loading') throw unavailable();
      state = 'ready';
      log?.info({ model: 'e5', build, ms: Math.round(performance.now() - began) }, 'the model of embeddings is loaded');
      computing.push(...hosts.map((host) => ({ host, inHand: new Set<Lane>() })));
      return { model, dimensions };
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
      throw unavailable();
    }
  };

  const loaded = (): Promise<VectorSpace> => {
    if (state === 'failed') return Promise.reject(unavailable());
    if (!loading) {
      state = 'loading';
      loading = load();
      loading.catch(() => undefined);
    }
    return loading;
  };

  /** What waits, to those that can take it. After an end nothing waits. */
  const handOut = (): void => {
    for (let lane = queue.lane(); lane; lane = queue.lane()) {
      const one = whoTakes(computing, lane);
      if (!one) return;
      void compute(one, lane, queue.take(lane)!);
    }
  };

  const compute = async ({ host, inHand }: Computing, lane: Lane, text: QueuedText): Promise<void> => {
    inHand.add(lane);
    try {
      text.resolve(await host.embed(text.text, text.role, lane));
    } catch {
      text.reject(unavailable());
    }
    inHand.delete(lane);
    handOut();
  };

  const enqueue = (texts: readonly string[], role: EmbeddingRole, lane: Lane, queued: Set<QueuedText>) =>
    texts.map(
      (text) =>
        new Promise<Float32Array>((resolve, reject) => {
          const one = { text, role, resolve, reject };
          queued.add(one);
          queue.add(one, lane);
        }),
    );

  return {
    name: 'e5',
    space: () => keepingAlive(loaded),
    state: () => (reason === undefined ? { state } : { state, reason }),
    warm: () => void loaded().catch(() => undefined),
    async embed(texts, role, { signal, background = false } = {}) {
      signal?.throwIfAborted();
      const queued = new Set<QueuedText>();
      const stop = (): void => {
        queue.remove(queued);
        for (const text of queued) text.reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
      try {
        return await keepingAlive(async () => {
          await loaded();
          signal?.throwIfAborted();
          if (state === 'failed') throw unavailable();
          const vectors = enqueue(texts, role, background ? 'background' : 'asked', queued);
          handOut();
          return Promise.all(vectors);
        });
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    async close() {
      const open = hosts.splice(0);
      end('it was closed.');
      await Promise.all(open.map((host) => host.close()));
    },
  };
}

/** The thread keeps no process alive, so that an idle model ends with it; who waits does. */
async function keepingAlive<T>(work: () => Promise<T>): Promise<T> {
  const waiting = setInterval(() => undefined, longest);
  try {
    return await work();
  } finally {
    clearInterval(waiting);
  }
}

/** What decides over the bits of a vector: the weights, the kernel's steps, and where a text is cut. */
function fingerprint(checksum: string, pieces: number): string {
  return createHash('sha256').update(`e5 ${checksum} ${networkVersion} ${pieces}`).digest('hex').slice(0, 32);
}
