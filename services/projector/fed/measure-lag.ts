import { bankOfStream } from '#events/stream-name.js';
import type { Ledger, Position } from '#ledger/ledger.js';
import { partitionOf } from '#views/partition.js';
import type { Checkpoint } from '#views/views.js';
import { mayChangeAnswers } from '../fold/may-change-answers.js';
import { countedTime } from '../fold/system-times.js';

/** How far the partitions of a generation lie behind the ledger. */
export interface Lag {
  /**
   * Events that are in the ledger and not in the views, by partition. Those that change no answer (what a search served) are none of
   * them: checkpoints are moved over them only now and then, and whoever asks and looks would see its own questions as a lag.
   */
  readonly events: readonly number[];
  /** Milliseconds since the epoch at which the oldest of them was recorded; undefined where none is missing. */
  readonly oldest: number | undefined;
  /** Counting ended before the ledger did: there are more. */
  readonly isAtLeast: boolean;
}

/** Beyond this many events the exact lag says no more than that it is large, and counting takes time. */
const countedLag = 100_000;

/**
 * Reads the ledger from the smallest checkpoint on, once for all.
 * @param all the checkpoints of each generation, by partition
 */
export async function measureLag(
  ledger: Ledger,
  all: readonly (readonly Checkpoint[])[],
  limit = countedLag,
): Promise<Lag[]> {
  let first: Position | undefined;
  let isEmpty = all.length === 0;
  for (const { position } of all.flat()) {
    if (position === undefined) isEmpty = true;
    else if (first === undefined || position < first) first = position;
  }
  const lags = all.map((checkpoints) => ({
    events: checkpoints.map(() => 0),
    oldest: undefined as number | undefined,
    isAtLeast: false,
  }));
  let read = 0;
  for await (const event of ledger.readAll({ ...(isEmpty || first === undefined ? {} : { after: first }), limit })) {
    read++;
    if (!mayChangeAnswers(event)) continue;
    const bank = bankOfStream(event.stream);
    for (const [index, lag] of lags.entries()) {
      const checkpoints = all[index]!;
      const partition = partitionOf(bank, checkpoints.length);
      if ((checkpoints[partition]!.position ?? '') >= event.position) continue;
      lag.events[partition]! += 1;
      if (lag.oldest !== undefined) continue;
      const recorded = countedTime(event);
      if (recorded !== undefined) lag.oldest = Date.parse(recorded);
    }
  }
  return lags.map((lag) => ({ ...lag, isAtLeast: read === limit }));
}
