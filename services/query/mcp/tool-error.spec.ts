import { expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { connect, textOf } from './testing/connect.js';
import { fakePorts } from './testing/fake-ports.js';

const failing = (error: unknown) => fakePorts({ queries: { search: () => Promise.reject(error) } });

it('answers an expected error with code, sentence and hint, for people and for programs', async () => {
  const error = new HindsightError('version_conflict', 'The memory is at version 3.', { version: 3 });
  await using connected = await connect({ ports: failing(error) });
  const result = await connected.client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    'version_conflict: The memory is at version 3. Read the memory again, then revise what it says now.',
  );
  expect(result._meta).toMatchObject({
    'hindsight-ledger/error': { code: 'version_conflict', details: { version: 3 } },
  });
});

it('gives an unexpected error an id, and leaks neither message nor stack to client or log', async () => {
  await using connected = await connect({ ports: failing(new TypeError('secret content')) });
  const result = await connected.client.callTool({ name: 'memory_search', arguments: { query: 'secret question' } });
  const told = JSON.stringify(result);
  expect(told).toContain('internal: ');
  expect(told).not.toMatch(/secret|tool-error\.spec/);
  const id = /logged as ([0-9a-f-]{36})/.exec(textOf(result))?.[1];
  const line = connected.log.lines.find((entry) => entry.includes(id!));
  expect(line).toContain('TypeError');
  expect(connected.log.lines.join()).not.toContain('secret');
});

it('serves the next call after an unexpected error', async () => {
  await using connected = await connect({ ports: failing('thrown text') });
  await connected.client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  expect((await connected.client.callTool({ name: 'memory_stats', arguments: {} })).isError).toBeUndefined();
});
