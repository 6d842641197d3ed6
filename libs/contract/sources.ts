/** What a run draws from outside. Injected, so that a test can make a run repeat. */
export interface Sources {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A UUIDv7: ids of events and of memories without a natural key. */
  uuid(): string;
  /** Random bytes, for nonces and secrets. */
  random(bytes: number): Uint8Array;
}
