import { Worker } from 'node:worker_threads';
import type { OpenHost } from './model-host.js';
import type { Lane } from './text-queue.js';
import type { TextToEmbed, WorkerAnswer } from './worker-protocol.js';

interface Waiting<T> {
  resolve(value: T): void;
  reject(reason: Error): void;
}

/**
 * The network in a thread of its own, which keeps no process alive: whoever waits for it does.
 * @param file of the thread's program, compiled
 */
export function workerHost(file: string): OpenHost {
  return (places, lost) => {
    const worker = new Worker(file, { workerData: places, name: 'e5' });
    let loading: Waiting<string> | undefined;
    const computing = new Map<Lane, Waiting<Float32Array>>();
    let isClosed = false;
    const loaded = new Promise<string>((resolve, reject) => {
      loading = { resolve, reject };
    });
    // Whoever asks first meets the refusal; without a question it is no fault of the process.
    loaded.catch(() => undefined);
    const end = (reason: string): void => {
      loading?.reject(new Error(reason));
      loading = undefined;
      for (const waiting of computing.values()) waiting.reject(new Error(reason));
      computing.clear();
      if (!isClosed) lost(reason);
    };
    worker.on('message', (answer: WorkerAnswer) => {
      if ('loaded' in answer) return loading?.resolve(answer.loaded);
      if ('refused' in answer) return end(answer.refused);
      const waiting = computing.get(answer.lane);
      computing.delete(answer.lane);
      if ('vector' in answer) waiting?.resolve(answer.vector);
      else waiting?.reject(new Error(answer.failed));
    });
    worker.on('error', (error: Error) => end(error.message));
    worker.on('exit', (code) => end(`The thread of the model ended with code ${code}.`));
    // Last: a listener for messages holds it again.
    worker.unref();
    return {
      loaded,
      embed: (text, role, lane) =>
        new Promise((resolve, reject) => {
          computing.set(lane, { resolve, reject });
          worker.postMessage({ text, role, lane } satisfies TextToEmbed);
        }),
      async close() {
        isClosed = true;
        await worker.terminate();
      },
    };
  };
}
