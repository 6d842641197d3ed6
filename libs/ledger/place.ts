import { HindsightError } from '#contract/errors.js';
import type { AppendRequest } from './append-request.js';
import type { Ledger, Position } from './ledger.js';

/** Which place: by its id, and by a name for people. */
export interface PlaceName {
  /** Random, and made with the place: the same by whatever address it is reached. */
  readonly id: string;
  /** Never holds a user or a password. */
  readonly shown: string;
}

/**
 * Whether a place takes appends of everybody. One that does not says where the ledger is; what stands in it up to `cut` belongs to
 * the ledger, and nothing beyond. Without `cut` it is still being filled.
 */
export type PlaceStatus =
  | { readonly open: true }
  | { readonly open: false; readonly ledgerIsAt: PlaceName; readonly cut: Position | undefined };

/**
 * A place that a ledger is or was kept in, as `migrate` needs it. Of the places of one ledger one is open at most, since a new one is made
 * closed, and opened only when the former has been closed.
 */
export interface Place {
  readonly name: PlaceName;
  readonly ledger: Ledger;
  status(): Promise<PlaceStatus>;
  /**
   * Appends while the place is closed for all others. What comes later in the list comes later in the ledger's order, and is only appended
   * when what comes before it is durable: however often and from however many processes the same list is filled in, the place holds a
   * beginning of it, once.
   */
  fill(appends: readonly AppendRequest[]): Promise<void>;
  /**
   * Closes it. Once this has resolved, no append is acknowledged to anybody but those that stand up to the answer: what comes later is
   * refused with `ledger_moved`.
   * @param signal stops waiting where that is needed; the place is open then as before
   * @returns the cut
   */
  close(to: PlaceName, signal?: AbortSignal): Promise<Position | undefined>;
  /** Lets everybody append. */
  open(): Promise<void>;
  /** Ends the connection, also that of `ledger`. */
  leave(): Promise<void>;
}

/** To whoever appends where the ledger no longer is, or not yet. */
export function ledgerMoved({ id, shown }: PlaceName): HindsightError {
  return new HindsightError('ledger_moved', `The ledger is at ${shown}: nothing more is written here.`, {
    place: id,
    at: shown,
  });
}

/** To whoever fills a place that is open. */
export function filledAlready(shown: string): HindsightError {
  return new HindsightError('ledger_busy', `${shown} takes appends already: another migrate was faster.`);
}
