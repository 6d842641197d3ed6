import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

/** Names that an admin gives for a bank. */
let folder: string;
let home: Embedded;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-names-'));
  const { config } = loadConfig({ flags: { home: folder, embeddings: 'none' }, env: {} });
  home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
});
afterEach(async () => {
  await home.close();
  await rm(folder, { recursive: true });
});

const admin = () => home.caller('bank configure');
const says = async (content: string, more: object = {}): Promise<string> =>
  (await home.commands.write({ content, ...more }, home.caller('write'))).memory_id!;
const asks = (query: string, more: object = {}) =>
  home.queries.search({ query, min_score: 0, explain: true, ...more }, home.caller('search'));
const found = async (query: string, more: object = {}) =>
  (await asks(query, more)).items.map(({ id, explain }) => [id, Object.keys(explain!.legs).sort()]);

it('find what calls somebody otherwise, from when they were given on, by words and by names', async () => {
  const smith = await says('Robert Smith keeps the keys of the archive');
  const jones = await says('Mary Jones keeps bees');
  const wang = await says('王伟负责支付网关');
  const before = await asks('Bob');
  expect(before.items).toEqual([]);
  const names = [['Bob', 'Robert Smith'], ['小王', '王伟'], ['archive']];
  expect(await home.commands.configureBank({ names }, admin())).toMatchObject({ status: 'stored', names });
  expect(await home.commands.configureBank({ names }, admin())).toMatchObject({ status: 'unchanged' });
  expect(await found('Bob')).toEqual([[smith, ['graph', 'keyword']]]);
  expect(await found('What does bob keep?')).toEqual([
    [smith, ['graph', 'keyword']],
    [jones, ['keyword']],
  ]);
  expect(await found('小王')).toEqual([[wang, ['graph', 'keyword']]]);
  // One alone is a name, though it is a common word.
  expect(await found('archive')).toEqual([[smith, ['graph', 'keyword']]]);
  expect((await asks('Bob', { basis: before.basis })).items).toEqual([]);
  await home.commands.configureBank({ profile: 'seeds' }, admin());
  expect(await home.commands.bankSettings(home.bank)).toMatchObject({ names, recall: { profile: 'seeds' } });
  expect(await home.commands.configureBank({ names: null, profile: 'learned' }, admin())).toMatchObject({
    recall: { off: [], profile: 'learned' },
  });
  expect((await asks('Bob')).items).toEqual([]);
});

it('go with whoever of them is erased, and nothing else of the settings does', async () => {
  await says('Robert Smith keeps the keys', { subjects: ['Robert Smith'] });
  const wang = await says('王伟负责支付网关');
  const names = [
    ['Bob', 'Robert Smith'],
    ['小王', '王伟'],
  ];
  await home.commands.configureBank({ names, legs: { time: false } }, admin());
  const ask = { subject: 'Robert Smith', reason: 'asked to' };
  const { confirm } = await home.commands.erase(ask, home.caller('erase'));
  await home.commands.erase({ ...ask, confirm }, home.caller('erase'));
  expect(await home.commands.bankSettings(home.bank)).toMatchObject({ names: [names[1]], recall: { off: ['time'] } });
  expect(await found('Bob')).toEqual([]);
  expect(await found('小王')).toEqual([[wang, ['graph', 'keyword']]]);
  // Written about again, he has another secret: the former group stays gone.
  await says('Robert Smith is back', { subjects: ['Robert Smith'] });
  expect((await home.commands.bankSettings(home.bank)).names).toEqual([names[1]]);
  expect(await found('Bob')).toEqual([]);
});

it('are refused where they are none', async () => {
  for (const names of [[[]], [['']], [['x'.repeat(81)]]])
    await expect(home.commands.configureBank({ names }, admin())).rejects.toMatchObject({ code: 'invalid_input' });
  const named = (names: string[][]) => home.commands.configureBank({ names }, admin());
  await expect(
    named([
      ['Bob', 'Robert'],
      ['Will Hughes', 'Will'],
    ]),
  ).rejects.toThrow('names[1][1] is "Will", in which no word is looked for');
  for (const name of ['the', 'of', '的', '…', '  ?! '])
    await expect(named([['Ada', name]])).rejects.toMatchObject({ code: 'invalid_input' });
  expect(
    await named([
      ['王', '王伟'],
      ['R2', 'R2-D2'],
    ]),
  ).toMatchObject({ status: 'stored' });
});
