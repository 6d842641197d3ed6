import { setTimeout as sleep } from 'node:timers/promises';
import type { Producer } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';
import { deadLettersTopic } from '#infra/kafka/topics.js';
import type { FedDeadLetter, Feed } from '../feed.js';
import { consume } from './consume.js';
import type { FeedPlace } from './ensure-topics.js';
import { complaints, type FeedLog, kafkaClient, lastingTrouble } from './kafka-client.js';

export interface KafkaFeedOptions extends FeedPlace {
  readonly log: FeedLog;
  /** ms after which the partitions of a projector that was killed go to another; 10,000 by default. The broker bounds it from below (6,000 by default). */
  readonly sessionTimeout?: number;
}

/** The consumers' side of the feed. Nothing is connected before it is used. */
export function openKafkaFeed({
  brokers,
  ledger,
  partitions,
  from,
  log,
  sessionTimeout = 10_000,
}: KafkaFeedOptions): Feed {
  const kafka = kafkaClient(brokers, `hindsight-ledger-${ledger}-projector`);
  const closing = new AbortController();
  const consumers = new Set<Promise<void>>();
  const letters = letterBox(
    () => kafka.producer({ idempotent: true, maxInFlightRequests: 1 }),
    ledger,
    log,
    closing.signal,
  );

  return {
    partitions,
    async consume(group, apply, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      const consuming = consume({ kafka, ledger, partitions, from, log, sessionTimeout }, group, apply, either);
      consumers.add(consuming);
      try {
        await consuming;
      } finally {
        consumers.delete(consuming);
      }
    },
    setAside: letters.send,
    async close() {
      closing.abort(new HindsightError('internal', `The feed of the ledger ${ledger} is closed.`));
      await Promise.allSettled([...consumers]);
      await letters.close();
    },
  };
}

function letterBox(makeProducer: () => Producer, ledger: string, log: FeedLog, closing: AbortSignal) {
  const topic = deadLettersTopic(ledger);
  let producer: Promise<Producer> | undefined;

  function connected(): Promise<Producer> {
    producer ??= (async () => {
      const made = makeProducer();
      await made.connect();
      return made;
    })();
    return producer;
  }

  async function drop(): Promise<void> {
    const dropped = producer;
    producer = undefined;
    await dropped?.then((made) => made.disconnect()).catch(() => {});
  }

  return {
    async send(letter: FedDeadLetter): Promise<void> {
      const trouble = complaints(log, { topic, event: letter.eventId });
      const { projection, generation, eventId } = letter;
      const message = { key: `${projection}.g${generation}/${eventId}`, value: JSON.stringify(letter) };
      for (let tries = 0; ; tries += 1) {
        closing.throwIfAborted();
        try {
          await (await connected()).send({ topic, acks: -1, messages: [message] });
          return;
        } catch (error) {
          // A producer that lost a broker may have lost its place among its own messages, too.
          await drop();
          const lasting = lastingTrouble(error, `Whoever writes ${topic}`);
          if (lasting) throw lasting;
          trouble.tell(error, 'a dead letter could not be written yet');
          await sleep(Math.min(5_000, 100 * 2 ** Math.min(tries, 10)), undefined, { signal: closing }).catch(() => {});
        }
      }
    },
    close: drop,
  };
}
