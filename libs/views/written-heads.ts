import { catalogue, isEventType } from '#events/catalogue.js';
import { bankOfStream } from '#events/stream-name.js';
import type { Ledger, Position } from '#ledger/ledger.js';

/**
 * How far each bank was written, as processes tell each other. It may forget, and then says less than is true; it never says more
 * than was written.
 */
export interface WrittenHeads {
  /** Resolves when it is told, or cannot be; never rejects. What lies before what is known already changes nothing. */
  note(bank: string, position: Position): Promise<void>;
  /** The last position noted; undefined when nothing is known. */
  last(bank: string): Promise<Position | undefined>;
}

/** The same ledger, whose appends are told before they are acknowledged: whoever asks afterwards, anywhere, knows of them. */
export function notingWrites(ledger: Ledger, heads: WrittenHeads): Ledger {
  return {
    ...ledger,
    async append(stream, events, expected) {
      const appended = await ledger.append(stream, events, expected);
      if (events.some(({ type }) => isEventType(type) && catalogue[type].changesAnswers))
        await heads.note(bankOfStream(stream), appended.position);
      return appended;
    },
  };
}
