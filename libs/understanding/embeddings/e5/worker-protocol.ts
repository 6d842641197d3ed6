import type { EmbeddingRole } from '../embedder.js';

/** To the thread: one text at a time, so there is nothing to number. */
export interface TextToEmbed {
  readonly text: string;
  readonly role: EmbeddingRole;
}

/** From the thread. `loaded` or `refused` comes once, first. */
export type WorkerAnswer =
  | { readonly loaded: string }
  | { readonly refused: string }
  | { readonly vector: Float32Array }
  | { readonly failed: string };
