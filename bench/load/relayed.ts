import { randomBytes } from 'node:crypto';
import { parseStreamName } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { openKafkaPublisher } from '#projector/feed/kafka/kafka-publisher.js';
import { type Election, runRelay } from '#projector/relay/run-relay.js';

/** Nobody else stands for it here. */
export const alone: Election = async (lead, signal) => {
  while (!signal.aborted) await lead(signal);
};

export interface Relayed {
  readonly events: number;
  /** From a new feed's first look at the ledger to the last event's being visible. */
  readonly seconds: number;
  /** Under which the feed has its topics. */
  readonly ledger: string;
}

/** Carries a whole ledger into a new feed. */
export async function relayed(ledger: Ledger, broker: string, partitions: number): Promise<Relayed> {
  const place = { brokers: [broker], ledger: `${ledger.id}${randomBytes(4).toString('hex')}`, partitions };
  const head = await ledger.head();
  let events = 0;
  for await (const { position, stream } of ledger.readAll())
    if (position <= head! && parseStreamName(stream).category !== 'seal') events += 1;
  const stopping = new AbortController();
  let began = 0;
  let ended = 0;
  let flushed = 0;
  await runRelay(
    {
      ledger,
      openPublisher: () => openKafkaPublisher(place),
      elect: alone,
      log: {
        info() {
          began ||= performance.now();
        },
        warn() {},
      },
      metrics: {
        flushed(count) {
          flushed += count;
          if (flushed < events) return;
          ended = performance.now();
          stopping.abort();
        },
      },
    },
    stopping.signal,
  );
  return { events, seconds: (ended - began) / 1000, ledger: place.ledger };
}
