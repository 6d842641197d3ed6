import type { EmbeddingRole } from '../embedder.js';
import type { ModelPlaces } from './model.js';
import type { Lane } from './text-queue.js';

/**
 * Where the network runs: a thread of its own, or the caller's. It is given one text of each lane at a time; in a thread, what is asked
 * overtakes the text of the background.
 */
export interface ModelHost {
  /** Which build of the kernel was loaded. Rejects in words when the model can't be. */
  readonly loaded: Promise<string>;
  embed(text: string, role: EmbeddingRole, lane: Lane): Promise<Float32Array>;
  close(): Promise<void>;
}

/** @param lost called once when it ends by itself, with the reason in words */
export type OpenHost = (places: ModelPlaces, lost: (reason: string) => void) => ModelHost;
