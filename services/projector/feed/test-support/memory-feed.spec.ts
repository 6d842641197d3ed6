import { describe } from 'vitest';
import { feedContract } from '../feed.contract.js';
import { createMemoryFeed } from './memory-feed.js';

describe('the feed in memory', () => {
  feedContract(async (partitions) => {
    const memory = createMemoryFeed(partitions);
    return { ledger: 'l1', open: () => memory.feed, openPublisher: memory.openPublisher, close: memory.feed.close };
  });
});
