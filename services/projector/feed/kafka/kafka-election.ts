import { setTimeout as sleep } from 'node:timers/promises';
import { relayName, relayTopic } from '#infra/kafka/topics.js';
import type { Election } from '../../relay/run-relay.js';
import { ensureFeedTopics, type FeedPlace } from './ensure-topics.js';
import { beMember } from './group-member.js';
import { type FeedLog, kafkaClient } from './kafka-client.js';

export interface KafkaElectionOptions extends FeedPlace {
  readonly log: FeedLog;
  /** ms after which another relay takes over from one that was killed; 6,000 by default, the least that a broker takes by default. */
  readonly sessionTimeout?: number;
}

/** ms between relaying's end and beginning again. */
const pause = 100;
/** Heartbeats that the broker has to answer before relaying begins again. The first may have been on its way for as long as this process was stopped. */
const confirmations = 2;

/**
 * One relay of several: whoever has the one partition of a topic that holds nothing. That decides who should relay; that only one can is
 * the publisher's to see to. It keeps what it has until it leaves or is silent for the session's timeout.
 */
export function kafkaElection({
  brokers,
  ledger,
  partitions,
  log,
  sessionTimeout = 6_000,
}: KafkaElectionOptions): Election {
  const kafka = kafkaClient(brokers, `hindsight-ledger-${ledger}-election`);
  return async (lead, signal) => {
    let held: AbortController | undefined;
    let leading = Promise.resolve();
    let heartbeats = 0;

    /** Relays until the lease is lost. */
    async function relay(lease: AbortSignal, before: Promise<void>): Promise<void> {
      await before;
      while (!lease.aborted) {
        await lead(lease);
        const confirmed = heartbeats + confirmations;
        while (!lease.aborted && heartbeats < confirmed)
          await sleep(pause, undefined, { signal: lease }).catch(() => {});
      }
    }

    function lose(): void {
      held?.abort();
      held = undefined;
    }

    try {
      await beMember(
        {
          kafka,
          groupId: relayName(ledger),
          topic: relayTopic(ledger),
          sessionTimeout,
          log,
          before: async () => {
            await ensureFeedTopics({ brokers, ledger, partitions });
          },
          assigned(given) {
            if (!given.includes(0)) return lose();
            if (held) return;
            held = new AbortController();
            leading = relay(held.signal, leading);
          },
          heartbeat() {
            heartbeats += 1;
          },
          // Not while it still relays: the next one would have to fence it.
          async leaving() {
            lose();
            await leading;
          },
          lost: lose,
        },
        signal,
      );
    } finally {
      lose();
      await leading;
    }
  };
}
