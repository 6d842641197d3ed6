import { randomBytes } from 'node:crypto';
import { engine } from '#test/engines/engines.js';
import { withEngine } from '#test/engines/with-engine.js';
import { feedContract } from '../feed.contract.js';
import type { Feed } from '../feed.js';
import { openKafkaFeed } from './kafka-feed.js';
import { openKafkaPublisher } from './kafka-publisher.js';

const log = { info() {}, warn() {} };

withEngine('kafka')('the feed over Kafka', () => {
  feedContract(async (partitions) => {
    const place = { brokers: [engine('kafka')], ledger: randomBytes(8).toString('hex'), partitions };
    const feeds: Feed[] = [];
    return {
      ledger: place.ledger,
      open() {
        const feed = openKafkaFeed({ ...place, log });
        feeds.push(feed);
        return feed;
      },
      openPublisher: () => openKafkaPublisher(place),
      async close() {
        await Promise.all(feeds.map((feed) => feed.close()));
      },
    };
  });
});
