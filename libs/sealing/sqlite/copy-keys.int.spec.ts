import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldMasterKey } from '#test/test-vault.js';
import { copyKeys } from '../copy-keys.js';
import { decodeBundle, encodeBundle, putBundle, takeBundle } from '../key-bundle.js';
import { openVault } from '../open-vault.js';
import type { VaultParts } from '../unlock.js';
import { openKeysDatabase } from './keys-database.js';
import { sqliteKeyStore } from './sqlite-key-store.js';

const parts = async (masterKey = heldMasterKey()): Promise<VaultParts> => ({
  keyStore: sqliteKeyStore(await openKeysDatabase(':memory:')),
  masterKey,
  sources: { random: randomBytes },
});
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
let from: VaultParts;
let to: VaultParts;
beforeEach(async () => {
  from = await parts();
  to = await parts();
});
afterEach(async () => {
  await from.keyStore.close();
  await to.keyStore.close();
});

it('copies every key, wrapped by another master key, and again only what is new', async () => {
  const vault = await openVault(from);
  const secrets = await Promise.all(Array.from({ length: 3_000 }, () => vault.freshSecret()));
  const bank = await vault.bankKeys('b1');
  const named = [await vault.ledgerKey(), await vault.serviceKey(), await vault.subjectSecret('b1', 's1')];

  const copied = await copyKeys(from, to);
  expect(copied.names).toBe(6);
  expect(copied.buckets).toBeGreaterThan(3);
  expect(await copyKeys(from, to)).toEqual({ buckets: 0, names: 0 });

  const copy = await openVault(to);
  for (const { id, secret } of secrets) expect(hex(await copy.secret(id))).toBe(hex(secret));
  expect(await copy.knownBankKeys('b1')).toEqual(bank);
  const there = [await copy.ledgerKey(), await copy.serviceKey(), await copy.knownSubjectSecret('b1', 's1')];
  expect(there.map(hex)).toEqual(named.map(hex));
  expect(await openVault({ ...to, masterKey: from.masterKey }).catch((error) => error.code)).toBe('master_key_wrong');

  await vault.bankKeys('b2');
  expect((await copyKeys(from, to)).names).toBe(3);
  expect(await copy.knownBankKeys('b2')).toEqual(await vault.knownBankKeys('b2'));
});

it('takes along which banks are gone for good', async () => {
  const vault = await openVault(from);
  await vault.bankKeys('b1');
  await vault.destroy({ secrets: [], subjects: [], banks: ['b1'] });
  await copyKeys(from, to);
  expect(await copyKeys(from, to)).toEqual({ buckets: 0, names: 0 });
  const copy = await openVault(to);
  await expect(copy.bankKeys('b1')).rejects.toMatchObject({ code: 'bank_erased' });
  expect((await copy.bankKeys('b2')).bank).toBe('b2');
});

it('is as sure of it where the keys were restored from a copy', async () => {
  const vault = await openVault(from);
  await vault.bankKeys('b1');
  await vault.destroy({ secrets: [], subjects: [], banks: ['b1'] });
  const bundle = decodeBundle(encodeBundle(await takeBundle(from.keyStore, 'aaaa', '2026-03-01T00:00:00.000Z')), 'k');
  await putBundle(to.keyStore, bundle);
  await putBundle(to.keyStore, bundle);
  const restored = await openVault({ ...to, masterKey: from.masterKey });
  await expect(restored.bankKeys('b1')).rejects.toMatchObject({ code: 'bank_erased' });
  await expect(restored.subjectSecret('b1', 's')).rejects.toMatchObject({ code: 'bank_erased' });
});

it('can use the same master key on both sides', async () => {
  const shared = heldMasterKey();
  from = await parts(shared);
  to = await parts(shared);
  const { id, secret } = await (await openVault(from)).freshSecret();
  await copyKeys(from, to);
  expect(hex(await (await openVault(to)).secret(id))).toBe(hex(secret));
});

it('refuses a store that has other keys under the same names', async () => {
  await (await openVault(from)).bankKeys('b1');
  await (await openVault(to)).bankKeys('b1');
  await expect(copyKeys(from, to)).rejects.toMatchObject({ code: 'invalid_config' });
});
