import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { encodeBundle } from '#sealing/key-bundle.js';
import { checkKeyCopy } from './check-key-copy.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-copy-'));
});
afterEach(() => rm(folder, { recursive: true }));

const made = '2026-11-02T10:00:00.000Z';
const epoch = { epoch: 3, check: Buffer.alloc(32, 1) };
const bundle = { ledger: '00112233', made, epoch, buckets: [], names: [] };
const look = (place: string, last = { epoch: 3, made, place }) =>
  checkKeyCopy({ epoch: async () => epoch, lastBundle: async () => last });

async function lookAt(text: string) {
  const place = join(folder, 'copy.keys');
  await writeFile(place, text);
  return look(place);
}

it('is well where the copy is there, of these keys, and as new as it was', async () => {
  const copied = [{ status: 'well', says: expect.stringMatching(/^keys copied 2026-11-02.* to .*copy\.keys$/) }];
  expect(await lookAt(encodeBundle(bundle))).toMatchObject(copied);
  expect(await lookAt(encodeBundle({ ...bundle, made: '2026-11-03T10:00:00.000Z' }))).toMatchObject(copied);
});

it('warns where it is gone, which may have been meant', async () => {
  expect(await look(join(folder, 'gone.keys'))).toMatchObject([
    {
      status: 'warning',
      says: expect.stringMatching(/gone\.keys, 2026-11-02.*\) is not there$/),
      mend: expect.stringMatching(/Moved on purpose.*backup create/),
    },
  ]);
  expect(await look(folder)).toMatchObject([{ status: 'warning', says: expect.stringContaining('cannot be read') }]);
});

it.each([
  ['nothing of the kind', 'a list of groceries\n', /is no bundle of keys/],
  ['a part', encodeBundle(bundle).slice(0, -20), /is cut, or was changed/],
  [
    'the keys of another home',
    encodeBundle({ ...bundle, ledger: 'ffee', epoch: { epoch: 3, check: Buffer.alloc(32, 2) } }),
    /keys of another home \(of ledger ffee\)/,
  ],
  [
    'an older copy, which may lack keys',
    encodeBundle({ ...bundle, made: '2026-11-01T10:00:00.000Z' }),
    /that one was made 2026-11-01/,
  ],
])('warns where the file holds %s', async (_what, text, says) => {
  expect(await lookAt(text)).toMatchObject([
    { status: 'warning', says: expect.stringMatching(says), mend: expect.stringContaining('backup create') },
  ]);
});

it('warns of a copy from before the last erasure, wherever it is', async () => {
  const place = join(folder, 'copy.keys');
  expect(await look(place, { epoch: 2, made, place })).toMatchObject([
    { status: 'warning', says: expect.stringContaining('older than the last erasure') },
  ]);
});
