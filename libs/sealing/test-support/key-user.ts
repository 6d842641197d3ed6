import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgresVault } from '../postgres/open-postgres-vault.js';
import { openFileVault } from '../sqlite/open-file-vault.js';
import type { Vault } from '../vault.js';

/**
 * A process that uses the keys of a home: `key-user HOME COUNT`, or those in PostgreSQL: `key-user HOME COUNT URL`. Told to go, it opens the vault, prints `id secret` (hex)
 * for COUNT fresh secrets as they are handed out (0: for ever), then `bank`, `ledger` and `subject` lines.
 */
const [home = '', count = '0', url] = process.argv.slice(2);

process.once('message', () => {
  use(Number(count)).then(
    () => process.exit(0),
    (error: unknown) => {
      print('error', String(error));
      process.exit(1);
    },
  );
});
process.send?.('ready');

async function use(secrets: number): Promise<void> {
  const vault = await opened();
  const shared = secrets > 0 ? printShared(vault) : undefined;
  for (let made = 0; secrets === 0 || made < secrets; made++) {
    const { id, secret } = await vault.freshSecret();
    print(id, hex(secret));
  }
  await shared;
  await vault.close();
}

async function opened(): Promise<Vault> {
  const masterKeyFile = join(home, 'master.key');
  const sources = { random: randomBytes };
  if (url === undefined)
    return openFileVault({ keysDb: join(home, 'keys.db'), masterKeyFile }, sources, { ledgerHasEvents: false });
  return openPostgresVault({ url, masterKeyFile }, sources, { ledger: 'aaaa', ledgerHasEvents: false });
}

async function printShared(vault: Vault): Promise<void> {
  const { secret, identityKey, indexKey } = await vault.bankKeys('b1');
  print('bank', [secret, identityKey, indexKey].map(hex).join('.'));
  print('ledger', hex(await vault.ledgerKey()));
  print('subject', hex(await vault.subjectSecret('b1', 's1')));
}

// At once, past every buffer of the process: what it was handed out is known even when it is killed in the next moment.
function print(name: string, value: string): void {
  writeSync(1, `${name} ${value}\n`);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
