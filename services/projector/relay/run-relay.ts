import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { Ledger } from '#ledger/ledger.js';
import type { FeedPublisher, Watermark } from '../feed/feed.js';
import { pump, type RelayMetrics } from './pump.js';

/**
 * Calls `lead` whenever it falls to this process to relay, with a signal that aborts when it no longer does; again, after a while, when
 * `lead` has ended and it still does. Resolves when the signal aborts.
 */
export type Election = (lead: (lease: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;

export interface RelayOptions {
  readonly ledger: Ledger;
  /** Whoever is opened makes all others fail. */
  readonly openPublisher: () => Promise<FeedPublisher>;
  readonly elect: Election;
  readonly log: RelayLog;
  readonly metrics?: RelayMetrics;
}

/** What a relay logs: positions and numbers. */
export interface RelayLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Carries the ledger's events to the feed, in their order, whenever it falls to this process; stands by otherwise. It may repeat, and
 * never skips: it goes on at the last watermark that is in every partition. Outages are waited out.
 * Resolves when the signal aborts.
 * @throws HindsightError invalid_config, and what of the ledger does not pass
 */
export async function runRelay(
  { ledger, openPublisher, elect, log, metrics }: RelayOptions,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  let complaint: string | undefined;

  async function stint(lease: AbortSignal): Promise<void> {
    const publisher = await openPublisher();
    try {
      const from = await resumption(ledger, publisher, log);
      log.info({ position: from?.position }, 'this relay is active');
      await pump(
        {
          ledger,
          publisher,
          from,
          metrics: metrics ?? {},
          flushed: () => {
            complaint = undefined;
          },
        },
        lease,
      );
    } finally {
      await publisher.close();
    }
  }

  async function lead(lease: AbortSignal): Promise<void> {
    metrics?.active?.(true);
    try {
      await stint(lease);
      log.info({}, 'this relay stands by');
    } catch (error) {
      if (lease.aborted) return;
      if (isLasting(error)) return failed.abort(error);
      const code = error instanceof HindsightError ? error.code : undefined;
      const reason = error instanceof Error ? error.message : String(error);
      if (complaint !== reason)
        log.warn({ code, error: reason }, 'relaying was interrupted; it goes on at the last watermark');
      complaint = reason;
    } finally {
      metrics?.active?.(false);
    }
  }

  await elect(lead, AbortSignal.any([signal, failed.signal]));
  if (failed.signal.aborted && !signal.aborted) throw failed.signal.reason;
}

function isLasting(error: unknown): boolean {
  return isHindsightError(error, 'invalid_config') || isHindsightError(error, 'ledger_corrupt');
}

async function resumption(ledger: Ledger, publisher: FeedPublisher, log: RelayLog): Promise<Watermark | undefined> {
  const mark = await publisher.lastWatermark();
  if (mark === undefined) return undefined;
  const head = await ledger.head();
  if (mark.position <= (head ?? '')) return mark;
  log.warn(
    { watermark: mark.position, head },
    'the feed has come further than the ledger reaches: it is an older copy, and is relayed from its beginning',
  );
  // A generation that is built anew reads the feed from where it begins, and would take what the ledger no longer holds for its own.
  await publisher.forget().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn(
      { error: reason },
      'what the feed holds beyond the ledger could not be deleted: replay once it has passed',
    );
  });
  return undefined;
}
