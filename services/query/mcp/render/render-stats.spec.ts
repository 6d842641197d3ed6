import { expect, it } from 'vitest';
import { fakePorts } from '../testing/fake-ports.js';
import { renderStats, renderStored } from './render-stats.js';

const stats = () => fakePorts().queries.stats({ bank: 'b0', principal: 'p', roles: [] });

it('says what is stored, how recall does and how large the stores are', async () =>
  expect(renderStats(await stats())).toBe(
    `Bank b0: 3 memories.
- semantic: 2 current, 1 superseded
Views: up to date, 1 event set aside (see \`hindsight-ledger doctor\`).
Stores: ledger.db 1.5 MiB, keys.db 512 B.
Recall since this server started: 12 times, half within 1.2 ms, 95% within 4.5 ms, 75% found something.`,
  ));

it('leaves recall out where no server is asked', async () =>
  expect(renderStored(await stats())).toMatch(/^Bank b0: 3 memories\.\n(?!.*Recall).*512 B\.$/s));

it('says so when nothing was recalled yet', async () => {
  const recall = { count: 0, p50_ms: 0, p95_ms: 0, p99_ms: 0, hit_rate: null };
  expect(renderStats({ ...(await stats()), recall })).toContain('Recall: none yet since this server started.');
});

it('says how many versions are embedded, and when the model is not to be had', async () => {
  const vectors = { model: 'e5', state: 'ready', done: 1_200, of: 5_000 } as const;
  const told = async (of: object) => renderStored({ ...(await stats()), vectors: { ...vectors, ...of } });
  expect(await told({})).toContain('\nEmbedded: 1,200 of 5,000 versions, by e5.\n');
  expect(await told({ done: 5_000 })).toContain('\nEmbedded: 5,000 versions, by e5.\n');
  expect(await told({ state: 'failed' })).toContain(', by e5, which is not to be had: keywords answer.\n');
});

it('says how much a language model has read, and what that took', async () => {
  const enrichment = {
    model: 'small',
    done: 12,
    of: 40,
    tokens_today: 3_400,
    tokens_per_day: 1_000_000,
    tokens: 9_000,
  };
  const told = async (of: object) => renderStored({ ...(await stats()), enrichment: { ...enrichment, ...of } });
  expect(await told({})).toContain(
    '\nRead by small: 12 of 40 memories; 3,400 of 1,000,000 tokens in the last 24 hours.\n',
  );
  expect(await told({ tokens_per_day: 0 })).toContain('; 3,400 tokens in the last 24 hours.\n');
  expect(await told({ model: undefined })).toContain('\nRead by a language model: ');
});
