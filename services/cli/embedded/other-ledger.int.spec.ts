import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { Caller } from '#contract/caller.js';
import type { Opened } from '../opened.js';
import { openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-other-ledger-'));
const query = 'which cache is used';
let [here, elsewhere]: Opened[] = [];
let caller: Caller;
/** Of an answer that the other ledger gave. */
let foreign: string;
/** Of its first answer, when nothing was written yet: it names no event that could be missing here. */
let foreignEmpty: string;

beforeAll(async () => {
  [here, elsewhere] = await Promise.all(['here', 'elsewhere'].map((home) => opened(join(folder, home))));
  const stranger = elsewhere!.caller('spec');
  caller = here!.caller('spec');
  foreignEmpty = (await elsewhere!.queries.search({ query }, stranger)).basis;
  for (const [one, who] of [
    [here!, caller],
    [elsewhere!, stranger],
  ] as const)
    await one.commands.write({ content: 'the cache is Valkey', key: 'project.cache' }, who);
  foreign = (await elsewhere!.queries.search({ query }, stranger)).basis;
  // It is a good one where it was given.
  expect((await elsewhere!.queries.search({ query, basis: foreign }, stranger)).items).toHaveLength(1);
});
afterAll(async () => {
  await Promise.all([here?.close(), elsewhere?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function opened(home: string): Promise<Opened> {
  const { config } = loadConfig({ flags: { home, embeddings: 'none' }, env: {} });
  return openEmbedded({ config, log: plainLog('silent', () => undefined) });
}

it.each([
  ['search', (basis: string) => here!.queries.search({ query, basis }, caller)],
  ['history', (basis: string) => here!.queries.history({ key: 'project.cache', basis }, caller)],
  ['the state', (basis: string) => here!.queries.audit({ ask: 'state', basis }, caller)],
  ['who wrote', (basis: string) => here!.queries.audit({ ask: 'who', basis }, caller)],
  ['a difference from it', (basis: string) => here!.queries.audit({ ask: 'diff', from: basis }, caller)],
  [
    'a difference to it',
    (basis: string) => here!.queries.audit({ ask: 'diff', from: '2025-01-01', to: basis }, caller),
  ],
] as const)('a basis of another ledger is refused by name: %s', async (_, ask) => {
  for (const basis of [foreign, foreignEmpty])
    await expect(ask(basis)).rejects.toMatchObject({
      code: 'basis_of_another_bank',
      message: 'This basis belongs to another ledger.',
      hint: 'Use a basis that this bank gave.',
    });
});
