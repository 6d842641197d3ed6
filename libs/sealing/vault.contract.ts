import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bucket, parseKeyId, secretIn, unwrapBucket } from './bucket.js';
import type { KeyStore, StoredBucket } from './key-store.js';
import { type Keyring, type MasterKey, wrappingKeyOf } from './master-key.js';
import type { Vault } from './vault.js';

/** What destroying keys and moving the master key do, wherever keys are kept. `open` gives vaults over one and the same, empty place until `clear`. */
export function vaultContract(place: {
  open(): Promise<Vault>;
  /** What the vaults are opened over. */
  parts(): Promise<{ readonly keyStore: KeyStore; readonly masterKey: MasterKey }>;
  clear(): Promise<void>;
}): void {
  let vault: Vault;
  let another: Vault;
  const nothing = { secrets: [], subjects: [], banks: [] };
  const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

  beforeEach(async () => {
    vault = await place.open();
    another = await place.open();
  });
  afterEach(async () => {
    await Promise.all([vault.close(), another.close()]);
    await place.clear();
  });

  async function reopened<T>(look: (vault: Vault) => Promise<T>): Promise<T> {
    const fresh = await place.open();
    return look(fresh).finally(() => fresh.close());
  }

  describe('destroying', () => {
    it('ends what it names and nothing else, in every process', async () => {
      const made = await Promise.all(Array.from({ length: 300 }, () => vault.freshSecret()));
      const ofAnother = await another.freshSecret();
      const doomed = new Set(made.filter((_, at) => at % 7 === 0).map(({ id }) => id));
      for (const { id } of made) await another.secret(id);
      const { epoch } = await vault.destroy({ ...nothing, secrets: [...doomed] });
      expect(epoch).toBe(2);
      for (const each of [vault, another]) {
        for (const { id, secret } of made)
          expect(hex(await each.secret(id)), id).toBe(doomed.has(id) ? undefined : hex(secret));
        expect(hex(await each.secret(ofAnother.id))).toBe(hex(ofAnother.secret));
        expect(await each.epoch()).toBe(2);
      }
      await reopened(async (fresh) => {
        for (const { id, secret } of made)
          expect(hex(await fresh.secret(id)), id).toBe(doomed.has(id) ? undefined : hex(secret));
      });
    });

    it('ends a subject in its bank alone; who names it again gets another secret, the same everywhere', async () => {
      const before = hex(await vault.subjectSecret('b1', 's'));
      const elsewhere = hex(await another.subjectSecret('b2', 's'));
      expect(hex(await another.knownSubjectSecret('b1', 's'))).toBe(before);
      await vault.destroy({ ...nothing, subjects: [{ bank: 'b1', subject: 's' }] });
      expect(await another.knownSubjectSecret('b1', 's')).toBeUndefined();
      expect(await vault.knownSubjectSecret('b1', 's')).toBeUndefined();
      expect(hex(await another.knownSubjectSecret('b2', 's'))).toBe(elsewhere);
      const after = hex(await another.subjectSecret('b1', 's'));
      expect(after).not.toBe(before);
      expect(hex(await vault.subjectSecret('b1', 's'))).toBe(after);
    });

    it('is known to who writes about the subject in the very next moment', async () => {
      const before = hex(await another.subjectSecret('b1', 's'));
      const destroyed = vault.destroy({ ...nothing, subjects: [{ bank: 'b1', subject: 's' }] });
      // Until the bucket is sealed anew the former secret stands; whatever is given from the new epoch on has to last.
      let given: string | undefined;
      do {
        await nextTurn();
        given = hex(await another.subjectSecret('b1', 's'));
      } while (given === before);
      await destroyed;
      expect(await reopened(async (fresh) => hex(await fresh.knownSubjectSecret('b1', 's')))).toBe(given);
    });

    it('ends all keys of a bank, its subjects’ included, and leaves a bank whose id begins likewise', async () => {
      const neighbour = await vault.bankKeys('b10');
      await vault.bankKeys('b1');
      await vault.subjectSecret('b1', 's1');
      await another.subjectSecret('b1', 's2');
      const ledgerKey = hex(await vault.ledgerKey());
      await another.bankKeys('b1');
      await vault.destroy({ ...nothing, banks: ['b1'] });
      for (const each of [vault, another]) {
        expect(await each.knownBankKeys('b1')).toBeUndefined();
        expect(await each.knownSubjectSecret('b1', 's1')).toBeUndefined();
        expect(await each.knownSubjectSecret('b1', 's2')).toBeUndefined();
        expect(await each.knownBankKeys('b10')).toEqual(neighbour);
      }
      const gone = { code: 'bank_erased' };
      const refused = async (each: Vault) => {
        await expect(each.bankKeys('b1')).rejects.toMatchObject(gone);
        for (const subject of ['s1', 'never named'])
          await expect(each.subjectSecret('b1', subject)).rejects.toMatchObject(gone);
        expect(await each.knownBankKeys('b1')).toBeUndefined();
      };
      for (const each of [vault, another]) await refused(each);
      await reopened(async (fresh) => {
        await refused(fresh);
        expect(hex(await fresh.ledgerKey())).toBe(ledgerKey);
      });
    });

    it('never lets keys be made for a bank that had none, and spends no secret on who asks', async () => {
      await vault.destroy({ ...nothing, banks: ['b7'] });
      const before = (await vault.freshSecret()).id;
      for (let tries = 0; tries < 100; tries++)
        await expect(vault.bankKeys('b7')).rejects.toMatchObject({ code: 'bank_erased' });
      expect(Number((await vault.freshSecret()).id.split('.')[1])).toBe(Number(before.split('.')[1]) + 1);
      await expect(another.subjectSecret('b7', 's')).rejects.toMatchObject({ code: 'bank_erased' });
    });

    it('lets nobody make keys of a bank who asks for them while it is destroyed', async () => {
      const former = hex((await vault.bankKeys('b1')).secret);
      let destroyed = false;
      const destroying = vault.destroy({ ...nothing, banks: ['b1'] }).then(() => {
        destroyed = true;
      });
      // Until it is destroyed the former keys stand; then there are none, and never others.
      do {
        await nextTurn();
        const given = await another.bankKeys('b1').catch((error: unknown) => error as { code: string });
        if ('code' in given) expect(given.code).toBe('bank_erased');
        else expect(hex(given.secret)).toBe(former);
      } while (!destroyed);
      await destroying;
      expect(await reopened((fresh) => fresh.knownBankKeys('b1'))).toBeUndefined();
    });

    it('passes over what is gone, was never there or is no key id, and then starts no epoch', async () => {
      const { id } = await vault.freshSecret();
      const doomed = { secrets: [id], subjects: [{ bank: 'b1', subject: 's' }], banks: ['b9'] };
      expect(await vault.destroy(doomed)).toEqual({ epoch: 2 });
      expect(await another.destroy(doomed)).toEqual({ epoch: 2 });
      expect(await vault.destroy({ ...nothing, secrets: ['gone.0', 'no key id', ''] })).toEqual({ epoch: 2 });
      expect(await vault.destroy(nothing)).toEqual({ epoch: 2 });
    });

    it('leaves the rest of another process’s batch, which it goes on handing out', async () => {
      const mine = await another.freshSecret();
      await vault.destroy({ ...nothing, secrets: [mine.id] });
      const handedOut = await Promise.all(Array.from({ length: 100 }, () => another.freshSecret()));
      expect(handedOut[0]!.id.split('.')[0]).toBe(mine.id.split('.')[0]);
      await reopened(async (fresh) => {
        expect(await fresh.secret(mine.id)).toBeUndefined();
        for (const { id, secret } of handedOut) expect(hex(await fresh.secret(id)), id).toBe(hex(secret));
      });
    });
  });

  describe('an older copy of the key store', () => {
    it('opens nothing that was destroyed, with the master key of today and whatever else is there today', async () => {
      const { keyStore, masterKey } = await place.parts();
      const copy = () => allBuckets(keyStore);
      const made = await Promise.all(Array.from({ length: 150 }, () => vault.freshSecret()));
      await vault.bankKeys('b1');
      await vault.subjectSecret('b1', 's');
      const subjectSlot = (await keyStore.named(['subject/b1/s']))[0]!;
      const copies = [await copy()];
      await vault.rotate();
      copies.push(await copy());
      const secrets = made.filter((_, at) => at % 20 === 0).map(({ id }) => id);
      await vault.destroy({ secrets, subjects: [{ bank: 'b1', subject: 's' }], banks: [] });
      const today = await copy();
      const keyring = (await masterKey.read())!;
      await keyStore.close();

      expect([...keyring.keys()]).toEqual([3]);
      let tried = 0;
      for (const older of copies) {
        for (const [id, then] of older) {
          const now = today.get(id)!;
          // Rows of then, rows of now, and every mixture of the two.
          for (const blob of [then, now])
            for (const key of [then, now])
              for (const epoch of new Set([then.epoch, now.epoch])) {
                const row = { id, sealedIn: blob.sealedIn, blob: blob.blob, epoch, wrappedKey: key.wrappedKey };
                const opened = openedBy(keyring, row);
                for (const each of [...secrets, subjectSlot]) {
                  const { bucket, slot } = parseKeyId(each)!;
                  if (bucket !== id) continue;
                  tried += 1;
                  expect(opened && secretIn(opened, slot), each).toBeUndefined();
                }
              }
        }
      }
      expect(tried).toBeGreaterThan(100);
      const { id } = made[1]!;
      expect(openedBy(keyring, today.get(parseKeyId(id)!.bucket)!)).toBeDefined();
    });
  });

  describe('rotating', () => {
    it('starts an epoch each time and changes no key', async () => {
      const { id, secret } = await vault.freshSecret();
      const bank = await vault.bankKeys('b1');
      expect(await vault.rotate()).toEqual({ epoch: 2 });
      expect(await another.rotate()).toEqual({ epoch: 3 });
      expect(await vault.epoch()).toBe(3);
      for (const each of [vault, another]) {
        expect(hex(await each.secret(id))).toBe(hex(secret));
        expect(await each.knownBankKeys('b1')).toEqual(bank);
      }
    });

    it('is agreed on by processes that move, destroy and write at the same moment', async () => {
      const kept: { id: string; secret: Uint8Array }[] = [];
      const gone: string[] = [];
      const busy = async (mine: Vault, salt: number) => {
        for (let round = 0; round < 12; round++) {
          const made = await Promise.all(Array.from({ length: 20 }, () => mine.freshSecret()));
          const { id } = made[(round * salt) % made.length]!;
          if (round % 3 === 0) {
            await mine.destroy({ ...nothing, secrets: [id] });
            gone.push(id);
            kept.push(...made.filter((each) => each.id !== id));
          } else {
            if (round % 3 === 1) await mine.rotate();
            kept.push(...made);
          }
          await mine.subjectSecret('b1', `s${round}`);
        }
      };
      await Promise.all([busy(vault, 3), busy(another, 7)]);
      await reopened(async (fresh) => {
        for (const { id, secret } of kept) expect(hex(await fresh.secret(id)), id).toBe(hex(secret));
        for (const id of gone) expect(await fresh.secret(id)).toBeUndefined();
        expect(await fresh.epoch()).toBe(17);
      });
    }, 60_000);
  });
}

async function allBuckets(keyStore: KeyStore): Promise<ReadonlyMap<string, StoredBucket>> {
  const ids = await keyStore.bucketIds(undefined, 1_000);
  return new Map(await Promise.all(ids.map(async (id) => [id, (await keyStore.bucket(id))!] as const)));
}

function openedBy(keyring: Keyring, row: StoredBucket): Bucket | undefined {
  for (const master of keyring.values())
    try {
      return unwrapBucket(row, wrappingKeyOf(master));
    } catch {
      // Not with this one.
    }
  return undefined;
}

export const anySources = { random: (bytes: number): Uint8Array => randomBytes(bytes) };
