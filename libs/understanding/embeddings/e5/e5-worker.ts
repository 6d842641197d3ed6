import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { loadModel, type Model, type ModelPlaces } from './model.js';
import type { TextToEmbed, WorkerAnswer } from './worker-protocol.js';

/**
 * The thread that computes vectors: a text takes up to some hundred milliseconds, in which nothing else would be answered. What is asked
 * meanwhile is looked for before each of the text's twelve layers.
 */
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

/** What is asked is never interrupted itself. */
function compute(model: Model, { text, role, lane }: TextToEmbed): void {
  try {
    const vector = model.embed(text, role, lane === 'background' ? () => letOvertake(model) : undefined);
    answer({ lane, vector }, [vector.buffer as ArrayBuffer]);
  } catch (error) {
    answer({ lane, failed: inWords(error) });
  }
}

/** One at most, so that the text goes on however much is asked. */
function letOvertake(model: Model): void {
  const asked = receiveMessageOnPort(port) as { message: TextToEmbed } | undefined;
  if (asked) compute(model, asked.message);
}
