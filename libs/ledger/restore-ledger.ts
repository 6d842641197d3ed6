import { HindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import { appendsOf } from './appends-of.js';
import { ledgerMoved, type Place } from './place.js';
import { type LedgerVerification, verifyLedger } from './verify-ledger.js';

/** Stands in a place that is being filled from a backup: it takes no appends until all of it is there. */
export const backupPlace = 'backup';

/** Events that are handed to a place at once. */
const portionEvents = 500;
const portionBytes = 4 * 1024 * 1024;

export interface RestoreOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number) => void;
  /** Called when all events are there and were verified, before anybody else may append. May be called again after a failure. */
  readonly before?: () => Promise<void>;
}

/**
 * Fills a place that was made closed with the events of a backup: every byte, hash, id and recorded time as it was. Killed anywhere, it is
 * finished by calling it again.
 * @param events in the order of the ledger that they were taken from
 * @throws HindsightError invalid_config when the place takes appends, so is no new one · ledger_corrupt when what stands there is something
 * else, or the chains are wrong · ledger_moved
 */
export async function restoreLedger(
  place: Place,
  events: AsyncIterable<EncodedEvent>,
  options: RestoreOptions = {},
): Promise<LedgerVerification> {
  const status = await place.status();
  if (status.open)
    throw new HindsightError(
      'invalid_config',
      `${place.name.shown} holds a ledger that is in use. A backup is restored only into an empty place: name another home by --home, or give empty engines.`,
    );
  if (status.ledgerIsAt.id !== backupPlace) throw ledgerMoved(status.ledgerIsAt);
  await filled(place, events, options);
  const found = await verifyLedger(place.ledger, options.signal ? { signal: options.signal } : {});
  if (found.firstFault || found.missing.length > 0)
    throw new HindsightError(
      'ledger_corrupt',
      found.firstFault
        ? `Event ${found.firstFault.eventId} of the backup is wrong: ${found.firstFault.what}.`
        : 'Events are missing in what was restored.',
    );
  await options.before?.();
  await place.open();
  return found;
}

async function filled(place: Place, events: AsyncIterable<EncodedEvent>, options: RestoreOptions): Promise<void> {
  // What an earlier try left is a beginning of the backup, and is compared instead of filled.
  const there = place.ledger.readAll()[Symbol.asyncIterator]();
  let isThere = true;
  let done = 0;
  let portion: EncodedEvent[] = [];
  let bytes = 0;
  const flush = async () => {
    options.signal?.throwIfAborted();
    if (portion.length > 0) await place.fill(appendsOf(portion));
    done += portion.length;
    portion = [];
    bytes = 0;
    options.onProgress?.(done);
  };
  for await (const event of events) {
    if (isThere) {
      const held = await there.next();
      if (!held.done) {
        if (Buffer.compare(held.value.hash, event.hash) !== 0) throw notOfTheBackup(place, event);
        done += 1;
        continue;
      }
      isThere = false;
    }
    portion.push(event);
    bytes += event.bytes.byteLength;
    if (portion.length >= portionEvents || bytes >= portionBytes) await flush();
  }
  await there.return?.();
  await flush();
}

function notOfTheBackup(place: Place, { stream, revision }: EncodedEvent): HindsightError {
  return new HindsightError(
    'ledger_corrupt',
    `${place.name.shown} holds events that the backup does not have there (${stream}, revision ${revision}). Give an empty place: another home by --home, or empty engines.`,
    { stream, revision },
  );
}
