import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { command } from '#test/support/command.js';
import { freshHomes, parsed } from '#test/support/fresh-homes.js';

const freshHome = freshHomes();

interface Found {
  readonly items: readonly { id: string; score: number; explain: { legs: object } }[];
  readonly basis: string;
  readonly explained: { profile: string; off?: string[] };
}

it('sets how a bank is recalled from, shows it, and answers a basis by what stood there', async () => {
  const home = freshHome();
  const env = { HINDSIGHT_LEDGER_EMBEDDINGS: 'none' };
  const hl = (...args: string[]) => command(home, args, { env });
  await hl('bank', 'create', 'acme');
  const inBank = (...args: string[]) => hl(...args, '--bank', 'acme');
  await inBank('write', 'The harbour fee is paid on Mondays', '--key', 'harbour.fee');
  await inBank('write', 'The harbour master is Noor');
  const search = async (...more: string[]) =>
    parsed<Found>(await inBank('search', 'harbour fee', '--explain', '--min-score', '0', '--json', ...more));
  const before = await search();
  expect((await hl('bank', 'show', 'acme')).stdout).toMatch(
    /\nlegs {6}vector on, keyword on, slot on, graph on, time on\nranking {3}learned\nweights {3}those that ship\n$/,
  );

  const configured = await hl('bank', 'configure', 'acme', '--leg', 'vector=off,slot=off', '--ranking', 'seeds');
  expect(configured).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acme: stored\nlegs {6}vector off, /) });
  expect((await hl('bank', 'configure', 'acme', '--leg', 'slot=off')).stdout).toMatch(/^acme: unchanged\n/);
  const shown = parsed<{ settings: object }>(await hl('bank', 'show', 'acme', '--json'));
  expect(shown.settings).toMatchObject({
    recall: { off: ['vector', 'slot'], profile: 'seeds' },
    by: expect.stringMatching(/^os:|^local:/),
  });
  expect((await hl('bank', 'show', 'default', '--json')).stdout).not.toContain('seeds');

  const after = await search();
  expect(after.explained).toMatchObject({ profile: 'seeds', off: ['vector', 'slot'] });
  expect((await search('--basis', before.basis)).items).toEqual(before.items);
  expect((await search('--basis', after.basis)).items).toEqual(after.items);
  const table = await inBank('search', 'harbour fee', '--explain');
  expect(table.stdout).toMatch(/Ranking: seeds\nSwitched off in this bank: vector, slot\n/);
  expect((await hl('verify')).code).toBe(0);
});

it('says what is wrong with settings', async () => {
  const home = freshHome();
  const hl = (...args: string[]) => command(home, args);
  await hl('bank', 'create', 'acme');
  const configure = (...args: string[]) => hl('bank', 'configure', 'acme', ...args);
  expect(await configure()).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing to configure') });
  for (const [name, why] of [
    ['auto', /^invalid_input: bank is "auto", which stands for .* Choose another name, of /],
    ['a\nb', /^invalid_input: bank is "a\\nb", which has control characters\. /],
  ] as const)
    expect(await hl('bank', 'create', name)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
  const long = 'a'.repeat(512);
  expect((await hl('bank', 'create', long)).code).toBe(0);
  expect((await hl('search', 'anything', '--bank', long)).code).toBe(0);
  expect(await configure('--leg', 'vectors=off')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/"vectors=off" is no leg .* vector, keyword, slot, graph, time/),
  });
  expect(await configure('--ranking', 'best')).toMatchObject({ code: 2, stderr: expect.stringMatching(/seeds/) });
  expect(await configure('--leg', 'vector=off,keyword=off,graph=off')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Nothing would be found'),
  });
  expect(await hl('bank', 'configure', 'acmee', '--ranking', 'seeds')).toMatchObject({
    stderr: expect.stringMatching(/bank_not_found/),
  });
  for (const nothing of ['', ' ', ','])
    expect(await configure('--leg', nothing)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--leg.* It names no leg: give one with =on or =off.* vector, keyword, slot/),
    });
  for (const [option, word] of [
    ['--weights', 'shipped'],
    ['--names', 'none'],
  ] as const)
    expect(await configure(option, '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`invalid_input: ${option} is "", but takes the path of a file, or ${word}.`),
    });
  const names = join(home, 'names.json');
  writeFileSync(names, '[["the", "of"]]');
  expect(await configure('--names', names)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^invalid_input: names\[0\]\[0\] is "the", in which no word is looked for/),
  });
  const file = join(home, 'weights.json');
  expect((await configure('--weights', file)).stderr).toMatch(/^file_not_found/);
  writeFileSync(file, '{');
  expect((await configure('--weights', file)).stderr).toMatch(/holds no weights: it is not JSON/);
  writeFileSync(file, JSON.stringify({ features: 'none', forms: {} }));
  expect((await configure('--weights', file)).stderr).toMatch(/weights.features is "none"; this release ranks by/);
});
