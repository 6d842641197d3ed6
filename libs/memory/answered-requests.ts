import { emptyLayers, type LayeredMap } from './layered-map.js';

/** What a repeated request is answered with. */
export interface Answered {
  /** Keyed hash of the request: the same idempotency key with another one is an error. */
  readonly print: string;
  readonly outcome: 'stored' | 'forgotten' | 'restored' | 'archived' | 'quarantined' | 'released' | 'rated';
  readonly version: number;
}

/** Requests that changed a memory, by keyed hash of their idempotency key. Immutable. */
export type AnsweredRequests = LayeredMap<Answered>;

export const noRequests: AnsweredRequests = emptyLayers();
