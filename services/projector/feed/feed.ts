import type { Position, StoredEvent } from '#ledger/ledger.js';

/** An event as the feed carries it: what the ledger stores, and what only the ledger's order tells. */
export interface FedEvent {
  readonly event: StoredEvent;
  /** Running maximum of recorded times in the ledger's order, this event's included (ISO); '' while no event has changed an answer. */
  readonly systemTime: string;
}

/** Some events of one partition (#views/partition.js), in the ledger's order. */
export interface FedBatch {
  readonly partition: number;
  /**
   * What the relay had passed in this partition before the batch; undefined at the ledger's beginning. Whoever has not come as far has a
   * gap: Kafka no longer has what lies between, or never had it. It is read from the ledger.
   */
  readonly after: Position | undefined;
  readonly events: readonly FedEvent[];
  /** The partition has no further event up to here. */
  readonly to: Position;
  /** System time at `to`. */
  readonly systemTime: string;
}

/**
 * The ledger's events by partition, for many consumers. Each batch is delivered at least once to each group, and to one member of it at a
 * time for each partition; what is delivered may have been delivered before, and late.
 */
export interface Feed {
  /** How many there are: chosen when the feed was made, and those of the views. */
  readonly partitions: number;
  /**
   * Joins a group until the signal aborts. A batch whose promise rejects comes again, after a pause; the partition waits for it.
   * Resolves when it has left the group. Outages are waited out and told by `onTrouble`.
   * @param group the projection's name and version, and its generation
   */
  consume(group: string, apply: (batch: FedBatch) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Tells whoever looks after it of an event that was set aside. Resolves when it is durable. */
  setAside(letter: FedDeadLetter): Promise<void>;
  close(): Promise<void>;
}

/** What stands in the dead letters' topic: which event, of which projection, and why; never content. */
export interface FedDeadLetter {
  readonly projection: string;
  readonly generation: number;
  readonly position: Position;
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  /** ISO */
  readonly at: string;
}

/** How far a relay has come, as every partition was told. */
export interface Watermark {
  readonly position: Position;
  readonly systemTime: string;
}

/** The feed's other end: the relay's. One publisher is active at a time; who was and is no longer, is refused. */
export interface FeedPublisher {
  readonly partitions: number;
  /** The smallest of the partitions' last watermarks; undefined when one has none: then all is published anew. */
  lastWatermark(): Promise<Watermark | undefined>;
  /**
   * Publishes events in their order, then the watermark to every partition, all of it or nothing. Consumers see none of it before.
   * @param after the watermark that this follows
   * @throws HindsightError relay_superseded when another publisher has begun
   */
  publish(events: readonly FedEvent[], after: Watermark | undefined, to: Watermark): Promise<void>;
  /** Takes away all that was published: who has not read it yet gets none of it. @throws HindsightError unreachable · invalid_config */
  forget(): Promise<void>;
  close(): Promise<void>;
}
