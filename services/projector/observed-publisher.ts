import type { Meters } from '#telemetry/meters.js';
import { type Tracer, tracedEach } from '#telemetry/tracer.js';
import type { FeedPublisher } from './feed/feed.js';

/** The same publisher, whose flushes are counted, and traced event by event up to a bound. */
export function observedPublisher(
  publisher: FeedPublisher,
  { meters, tracer }: { readonly meters?: Pick<Meters, 'relayed'> | undefined; readonly tracer?: Tracer | undefined },
): FeedPublisher {
  return {
    ...publisher,
    async publish(events, after, to) {
      const from = Date.now();
      await publisher.publish(events, after, to);
      meters?.relayed(events.length, to.systemTime);
      if (tracer) {
        const stored = events.map(({ event }) => event);
        tracedEach(tracer, 'relay publish', stored, { kind: 'producer' }, { from, to: Date.now() });
      }
    },
  };
}
