import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heldMasterKey } from '#test/test-vault.js';
import { decodeBundle, encodeBundle, putBundle, takeBundle } from '../key-bundle.js';
import { keyCopy } from '../key-copy.js';
import { openVault } from '../open-vault.js';
import { openKeysDatabase } from './keys-database.js';
import { sqliteKeyStore } from './sqlite-key-store.js';

const sources = { random: (bytes: number): Uint8Array => randomBytes(bytes) };
const made = '2026-03-01T00:00:00.000Z';
const store = async () => sqliteKeyStore(await openKeysDatabase(':memory:'));
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

describe('a copy of the keys', () => {
  it('opens with the master key of its epoch, in a store of its own, and again there', async () => {
    const masterKey = heldMasterKey();
    const keyStore = await store();
    const vault = await openVault({ keyStore, masterKey, sources });
    const secrets = await Promise.all(Array.from({ length: 700 }, () => vault.freshSecret()));
    const bank = await vault.bankKeys('b1');
    await vault.destroy({ secrets: [secrets[3]!.id], subjects: [], banks: [] });
    const text = encodeBundle(await takeBundle(keyStore, 'aaaa', made));

    const bundle = decodeBundle(text, 'copy.keys');
    expect(bundle).toMatchObject({ ledger: 'aaaa', made, epoch: { epoch: 2 } });
    const other = await store();
    await putBundle(other, bundle);
    await putBundle(other, bundle);
    const copy = await openVault({ keyStore: other, masterKey, sources });
    for (const [at, { id, secret }] of secrets.entries())
      expect(hex(await copy.secret(id))).toBe(at === 3 ? undefined : hex(secret));
    expect(await copy.knownBankKeys('b1')).toEqual(bank);

    await vault.rotate();
    await expect(openVault({ keyStore: other, masterKey, sources })).rejects.toMatchObject({
      code: 'master_key_wrong',
    });
  });

  it('is put only where no other keys are', async () => {
    const keyStore = await store();
    await openVault({ keyStore, masterKey: heldMasterKey(), sources });
    const bundle = await takeBundle(keyStore, 'aaaa', made);
    const other = await store();
    await openVault({ keyStore: other, masterKey: heldMasterKey(), sources });
    await expect(putBundle(other, bundle)).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(takeBundle(await store(), 'aaaa', made)).rejects.toMatchObject({ code: 'keys_missing' });
  });

  test.prop([fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: 300 })(
    'is refused when any one byte of it was changed, or it was cut there',
    async (where, by) => {
      const keyStore = await store();
      await (await openVault({ keyStore, masterKey: heldMasterKey(), sources })).ledgerKey();
      const text = Buffer.from(encodeBundle(await takeBundle(keyStore, 'aaaa', made)), 'latin1');
      const at = where % text.length;
      const cut = text.subarray(0, at).toString('latin1');
      const changed = Buffer.from(text);
      changed[at] = changed[at]! ^ by;
      // The last line break may be missing: all that it ends is there.
      for (const wrong of at === text.length - 1 ? [] : [cut, changed.toString('latin1')])
        expect(() => decodeBundle(wrong, 'copy.keys')).toThrow();
      await keyStore.close();
    },
  );
});

describe('the copy that is made anew', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hl-copy-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('follows each move of the master key, for its owner alone', async () => {
    const file = join(folder, 'copy.keys');
    const keyStore = await store();
    const copy = keyCopy({ file, ledger: 'aaaa', now: () => Date.parse(made) });
    const vault = await openVault({ keyStore, masterKey: heldMasterKey(), sources, copy });
    for (const epoch of [2, 3]) {
      await vault.rotate();
      expect(decodeBundle(await readFile(file, 'utf8'), file).epoch.epoch).toBe(epoch);
      expect(await keyStore.lastBundle()).toEqual({ epoch, made, place: file });
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('takes the place of no file but a copy of these keys, damaged or not', async () => {
    const file = join(folder, 'copy.keys');
    const keyStore = await store();
    const masterKey = heldMasterKey();
    const at = (of: string) =>
      openVault({ keyStore, masterKey, sources, copy: keyCopy({ file: of, ledger: 'aaaa', now: Date.now }) });
    const vault = await at(file);
    const theirs = join(folder, 'theirs.keys');
    await writeFile(theirs, encodeBundle(await takeBundle(keyStore, 'bbbb', made)));
    const photo = join(folder, 'photo.jpg');
    await writeFile(photo, Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    for (const [other, what] of [
      [theirs, 'of another ledger (bbbb)'],
      [photo, 'no copy of keys'],
    ] as const) {
      const before = await readFile(other);
      await expect((await at(other)).rotate()).rejects.toMatchObject({
        code: 'invalid_config',
        message: expect.stringContaining(what) as unknown,
      });
      expect(await readFile(other)).toEqual(before);
    }
    await vault.rotate();
    for (const ours of ['', await readFile(file, 'utf8'), 'damaged since'])
      for (const length of [ours.length, ours.length >> 1]) {
        await writeFile(file, ours.slice(0, length));
        const { epoch } = await vault.rotate();
        expect(decodeBundle(await readFile(file, 'utf8'), file).epoch.epoch).toBe(epoch);
      }
  });

  it('is asked for before anything is destroyed, where one was made before', async () => {
    const keyStore = await store();
    const masterKey = heldMasterKey();
    const at = (file: string | undefined) =>
      openVault({ keyStore, masterKey, sources, copy: keyCopy({ file, ledger: 'aaaa', now: Date.now }) });
    const { id } = await (await at(undefined)).freshSecret();
    expect(await (await at(undefined)).rotate()).toEqual({ epoch: 2 });
    await keyStore.noteBundle({ epoch: 2, made, place: '/media/usb/copy.keys' });
    const doomed = { secrets: [id], subjects: [], banks: [] };
    await writeFile(join(folder, 'file'), '');
    for (const [file, code] of [
      [undefined, 'key_backup_needed'],
      [join(folder, 'nowhere', 'copy.keys'), 'not_writable'],
      [folder, 'not_writable'],
      ['/dev/null', 'not_writable'],
      // What rights do not tell, where this runs as root.
      ['/proc/copy.keys', 'not_writable'],
    ] as const) {
      const vault = await at(file);
      await expect(vault.mayDestroy()).rejects.toMatchObject({ code });
      await expect(vault.destroy(doomed)).rejects.toMatchObject({ code });
      expect(await vault.secret(id)).toBeDefined();
    }
    expect(await (await at('none')).destroy(doomed)).toEqual({ epoch: 3 });
  });
});
