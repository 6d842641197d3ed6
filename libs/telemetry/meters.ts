/** How a projection stands behind the ledger, as of the moment it is asked for. */
export interface ProjectionLag {
  readonly projection: string;
  /** Events in the ledger that are not in the views, of those that change an answer. */
  readonly lagEvents: number;
  /** Since the oldest of them was recorded. */
  readonly lagSeconds: number;
  /** Events that were set aside. */
  readonly deadLetters: number;
}

/** What was found where a cache was asked. */
export type CacheOutcome = 'hit' | 'miss' | 'away';

/**
 * What is measured while it happens. Every label is one of a few names that the program itself has: never a bank, an id or content.
 * Nothing here throws or waits.
 */
export interface Meters {
  /** Events of a type are in the ledger. */
  appended(type: string, events: number): void;
  /** A command was answered. @param outcome its status, `ok`, or the code of its error */
  commanded(command: string, outcome: string): void;
  /** A leg of a recall has looked at a bank; `ranking` is all of them and the weighing, `all` the whole answer. */
  recalled(leg: string, seconds: number): void;
  lookedUp(cache: string, outcome: CacheOutcome): void;
  /** An event can be read in a projection, so long after it was recorded. */
  becameVisible(projection: string, seconds: number): void;
  /** Whether this process relays. */
  relaying(isActive: boolean): void;
  /** Events that consumers can see now. @param systemTime of the last one (ISO); '' where none has changed an answer */
  relayed(events: number, systemTime: string): void;
  /** Where the figures of projections come from whenever somebody reads them; the last figures stand while that fails. */
  lagFrom(measure: () => Promise<readonly ProjectionLag[]> | readonly ProjectionLag[]): void;
}

/** The figures of this process as a scraper reads them. */
export interface Metrics {
  readonly contentType: string;
  read(): Promise<string>;
}
