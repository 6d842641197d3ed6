import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { AuditOutput } from '#contract/audit.js';
import type { SearchOutput } from '#contract/search.js';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '#understanding/embeddings/openai/test-support/embedding-server.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { plainLog } from '../embedded/plain-log.js';
import { audit } from './audit.js';
import { search } from './search.js';

/** A home whose memories have vectors, and verbs that open it as a process of their own would. */
let folder: string;
let server: EmbeddingServer;
const query = 'How many calls does PayBridge take?';
const at = '2026-03-05T00:00:00.000Z';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-belief-'));
  server = await startEmbeddingServer();
  vi.stubEnv('HINDSIGHT_LEDGER_EMBEDDINGS', server.url);
  const { config } = loadConfig({ flags: { home: folder, embeddings: server.url }, env: {} });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined), embeds: true });
  const write = (content: string, valid_from: string, key?: string) =>
    home.commands.write({ content, valid_from, ...(key ? { key } : {}) }, home.caller('write'));
  for (let pier = 0; pier < 20; pier++) await write(`Ferry ${pier} leaves pier ${pier % 3}`, '2026-01-01');
  await write('PayBridge takes 100 calls', '2026-03-01', 'limit');
  await write('PayBridge takes 50 calls', '2026-03-10', 'limit');
  await write('PayBridge keys rotate', '2026-03-08');
  await home.projector.catchUp();
  await home.embedding!.untilDone();
  await home.close();
}, 60_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  await rm(folder, { recursive: true });
});

async function answer<T>(verb: ReturnType<typeof audit>, ...args: string[]): Promise<T> {
  const printed: string[] = [];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    await verb.parseAsync([...args, '--home', folder, '--json'], { from: 'user' });
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
  expect(process.exitCode, printed.join('')).toBe(0);
  process.exitCode = undefined;
  return JSON.parse(printed.join('')) as T;
}

it('audit belief waits for the model as search does, and lists the same items with the same scores', async () => {
  const before = new Date().toISOString();
  const limit = ['--limit', '4'];
  const { readings } = await answer<AuditOutput>(audit(), 'belief', query, '--at', at, '--as-of', before, ...limit);
  const asked = {
    true_now: [],
    true_then: ['--valid-at', at],
    answered_then: ['--valid-at', at, '--as-of', before],
  };
  for (const [name, times] of Object.entries(asked)) {
    const reading = readings![name as keyof typeof asked];
    expect(reading.basis.slice(0, 3)).toBe('b2.');
    const found = await answer<SearchOutput>(search(), query, ...times, '--top-k', '4');
    expect(found.items.length).toBeGreaterThan(0);
    const told = ({ id, version, status }: (typeof found.items)[number]) => [id, version, status];
    expect(reading.items.map(told)).toEqual(found.items.map(told));
    // A moment later recency counts a little less.
    for (const [place, { score }] of found.items.entries()) expect(reading.items[place]!.score).toBeCloseTo(score!, 4);
    const again = await answer<SearchOutput>(
      search(),
      query,
      ...times.slice(0, 2),
      '--basis',
      reading.basis,
      '--top-k',
      '4',
    );
    expect(again.items).toEqual(reading.items);
  }
}, 60_000);
