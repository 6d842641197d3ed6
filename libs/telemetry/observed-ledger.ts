import { bankOfStream } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Meters } from './meters.js';
import { type Tracer, traced } from './tracer.js';

/**
 * The same ledger, whose appends are counted, and traced where what they belong to is: the events then carry the append's own context,
 * so that what becomes of them is told as its consequence.
 */
export function observedLedger(ledger: Ledger, { meters, tracer }: { meters?: Meters; tracer?: Tracer }): Ledger {
  return {
    ...ledger,
    async append(stream, events, expected) {
      const parent = events.find((event) => event.traceparent !== undefined)?.traceparent;
      const ids = { bank: bankOfStream(stream), event: events[0]?.id ?? '', events: events.length };
      const appended = await traced(
        parent === undefined ? undefined : tracer,
        'append',
        { parent, kind: 'client', ids },
        (traceparent) => {
          const mine = (own: string | undefined) => (own === parent ? traceparent : own);
          const carrying =
            traceparent === parent
              ? events
              : events.map((event) => ({ ...event, traceparent: mine(event.traceparent) }));
          return ledger.append(stream, carrying, expected);
        },
      );
      if (meters && !appended.repeated) for (const { type } of events) meters.appended(type, 1);
      return appended;
    },
  };
}
