/** Whether a text is asked with or searched for: models such as e5 tell the two apart. */
export type EmbeddingRole = 'query' | 'passage';

/** Vectors of one space may be compared, of two never. */
export interface VectorSpace {
  /** The model's fingerprint, hex. */
  readonly model: string;
  readonly dimensions: number;
}

export type EmbedderState = 'idle' | 'loading' | 'ready' | 'failed';

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Yields to what is asked: a question waits for a part of the one text that is being computed at most. */
  readonly background?: boolean;
  /** What the vectors are meant for: refused when a server's model has changed since, so that spaces never mix. */
  readonly space?: VectorSpace;
}

/** What makes vectors of texts: the shipped model, a server, or nothing. */
export interface Embedder {
  /** For people: `e5`, a URL's host, … */
  readonly name: string;
  /**
   * Known once it is ready (a remote one finds its dimensions by a probe).
   * @throws HindsightError embeddings_unavailable
   */
  space(): Promise<VectorSpace>;
  state(): { readonly state: EmbedderState; readonly reason?: string };
  /** Starts loading in the background; never throws; called again it does nothing. */
  warm(): void;
  /**
   * Unit vectors in the order given.
   * @throws HindsightError embeddings_unavailable; with `details.refused`, the places of texts that a server takes in no form: the others
   * are to be asked for again, these never
   */
  embed(texts: readonly string[], role: EmbeddingRole, options?: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}
