import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyStore, LockedKeys } from '../key-store.js';
import type { MasterKey } from '../master-key.js';
import { masterKeyFile } from '../master-key-file.js';
import { openVault } from '../open-vault.js';
import { openKeysDatabase as openServer } from '../postgres/open-keys-database.js';
import { postgresKeyStore } from '../postgres/postgres-key-store.js';
import { openKeysDatabase as openFile } from '../sqlite/keys-database.js';
import { sqliteKeyStore } from '../sqlite/sqlite-key-store.js';
import type { Vault } from '../vault.js';

/**
 * A process that moves the master key: `key-mover HOME URL STEP DOOMED`. `URL` is empty for keys.db in the home. With a step it destroys
 * the secrets (ids, by comma) and kills itself at that step: before (odd) or after (even) a call that changes something. With step 0 it makes
 * secrets, destroys some and rotates, for ever, and prints `made ID SECRET`, `dooming ID` and `gone ID` as it goes.
 */
const [home = '', url = '', stepText = '0', doomed = ''] = process.argv.slice(2);
const last = Number(stepText);
let step = 0;

process.once('message', () => {
  run().then(
    () => process.exit(0),
    (error: unknown) => {
      print('error', String(error));
      process.exit(1);
    },
  );
});
process.send?.('ready');

async function run(): Promise<void> {
  const keyStore = url
    ? postgresKeyStore(await openServer(url))
    : sqliteKeyStore(await openFile(join(home, 'keys.db')));
  const masterKey = masterKeyFile(join(home, 'master.key'));
  const parts = { keyStore: deadly(keyStore), masterKey: deadlyKey(masterKey), sources: { random: randomBytes } };
  const vault = await openVault(parts);
  if (last > 0)
    await vault.destroy({ secrets: doomed.split(','), subjects: [{ bank: 'b1', subject: 's1' }], banks: [] });
  else await goOn(vault);
  await vault.close();
}

async function goOn(vault: Vault): Promise<void> {
  for (let round = 0; ; round++) {
    const made = await Promise.all(Array.from({ length: 10 }, () => vault.freshSecret()));
    for (const { id, secret } of made) print('made', id, Buffer.from(secret).toString('hex'));
    const secrets = made.slice(0, 3).map(({ id }) => id);
    for (const id of secrets) print('dooming', id);
    await vault.destroy({ secrets, subjects: [], banks: [] });
    for (const id of secrets) print('gone', id);
    if (round % 4 === 0) await vault.rotate();
  }
}

/** Dies before or after the step that is told. */
async function at<T>(work: () => Promise<T>): Promise<T> {
  step += 1;
  if (step === last) process.kill(process.pid, 'SIGKILL');
  const result = await work();
  step += 1;
  if (step === last) process.kill(process.pid, 'SIGKILL');
  return result;
}

function deadly(store: KeyStore): KeyStore {
  const locked = (keys: LockedKeys): LockedKeys => ({
    ...keys,
    rewrap: (rows) => at(() => keys.rewrap(rows)),
    reseal: (bucket) => at(() => keys.reseal(bucket)),
    forget: (names) => at(() => keys.forget(names)),
    move: (next) => at(() => keys.move(next)),
  });
  return {
    ...store,
    exclusively: (work) => at(() => store.exclusively((keys) => work(locked(keys)))),
    scrub: () => at(() => store.scrub()),
  };
}

function deadlyKey(masterKey: MasterKey): MasterKey {
  return { ...masterKey, replace: (keyring) => at(() => masterKey.replace(keyring)) };
}

// At once, past every buffer of the process.
function print(...words: string[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}
