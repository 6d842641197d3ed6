import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeSigningKey } from '../proof/signing-key-file.js';
import { checkSigningKey } from './check-signing-key.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-signing-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is no matter where there is none, and well where it signs', async () => {
  const path = join(folder, 'signing.key');
  expect(await checkSigningKey(path)).toEqual([]);
  await makeSigningKey(path);
  expect(await checkSigningKey(path)).toEqual([{ check: 'signing key', status: 'well', says: path }]);
});

it.each([
  ['text', (path: string) => writeFileSync(path, 'not a key'), 'no private key in PEM'],
  ['nothing', (path: string) => writeFileSync(path, ''), 'no private key in PEM'],
  ['a folder', (path: string) => mkdirSync(path), 'EISDIR'],
  [
    'a key of another kind',
    (path: string) =>
      writeFileSync(path, generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' })),
    'x25519',
  ],
])('is wrong where it is %s', async (name, put, says) => {
  const path = join(folder, name);
  put(path);
  expect(await checkSigningKey(path)).toMatchObject([
    { check: 'signing key', status: 'wrong', says: expect.stringContaining(says) },
  ]);
});
