import { Worker } from 'node:worker_threads';
import type { OpenHost } from './model-host.js';
import type { WorkerAnswer } from './worker-protocol.js';

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
    let computing: Waiting<Float32Array> | undefined;
    let isClosed = false;
    const loaded = new Promise<string>((resolve, reject) => {
      loading = { resolve, reject };
    });
    // Whoever asks first meets the refusal; without a question it is no fault of the process.
    loaded.catch(() => undefined);
    const end = (reason: string): void => {
      loading?.reject(new Error(reason));
      computing?.reject(new Error(reason));
      loading = computing = undefined;
      if (!isClosed) lost(reason);
    };
    worker.on('message', (answer: WorkerAnswer) => {
      if ('loaded' in answer) return loading?.resolve(answer.loaded);
      if ('refused' in answer) return end(answer.refused);
      const waiting = computing;
      computing = undefined;
      if ('vector' in answer) waiting?.resolve(answer.vector);
      else waiting?.reject(new Error(answer.failed));
    });
    worker.on('error', (error: Error) => end(error.message));
    worker.on('exit', (code) => end(`The thread of the model ended with code ${code}.`));
    // Last: a listener for messages holds it again.
    worker.unref();
    return {
      loaded,
      embed: (text, role) =>
        new Promise((resolve, reject) => {
          computing = { resolve, reject };
          worker.postMessage({ text, role });
        }),
      async close() {
        isClosed = true;
        await worker.terminate();
      },
    };
  };
}
