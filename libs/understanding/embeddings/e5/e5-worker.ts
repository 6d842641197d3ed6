import { parentPort, workerData } from 'node:worker_threads';
import { loadModel, type Model, type ModelPlaces } from './model.js';
import type { TextToEmbed, WorkerAnswer } from './worker-protocol.js';

/** The thread that computes vectors: a text takes up to some hundred milliseconds, in which nothing else would be answered. */
const port = parentPort!;
const answer = (what: WorkerAnswer, transfer: ArrayBuffer[] = []): void => port.postMessage(what, transfer);
const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error));

try {
  const model = await loadModel(workerData as ModelPlaces);
  port.on('message', (text: TextToEmbed) => compute(model, text));
  answer({ loaded: model.build });
} catch (error) {
  answer({ refused: inWords(error) });
}

function compute(model: Model, { text, role }: TextToEmbed): void {
  try {
    const vector = model.embed(text, role);
    answer({ vector }, [vector.buffer as ArrayBuffer]);
  } catch (error) {
    answer({ failed: inWords(error) });
  }
}
