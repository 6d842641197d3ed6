import type { EmbeddingRole } from '../embedder.js';
import type { Lane } from './text-queue.js';

/** To the thread: one text of each lane at a time, so the lane is all that tells them apart. */
export interface TextToEmbed {
  readonly text: string;
  readonly role: EmbeddingRole;
  readonly lane: Lane;
}

/** From the thread. `loaded` or `refused` comes once, first. */
export type WorkerAnswer =
  | { readonly loaded: string }
  | { readonly refused: string }
  | { readonly lane: Lane; readonly vector: Float32Array }
  | { readonly lane: Lane; readonly failed: string };
