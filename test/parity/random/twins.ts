import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Stack, startStack } from '#test/stack/start-stack.js';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { type DistributedProfile, startDistributed } from '../distributed-profile.js';
import { startEmbedded } from '../embedded-profile.js';
import { madeToken, type Profile } from '../profile.js';

/** Both profiles, from one ledger with its keys and tokens: one goes on in its files, its copy was moved to the engines. */
export interface Twins {
  readonly home: string;
  readonly embedded: Profile;
  readonly distributed: DistributedProfile;
  readonly tokens: { readonly mine: string; readonly theirs: string };
  close(): Promise<void>;
}

export async function startTwins(): Promise<Twins> {
  const home = temporaryHome();
  const copy = temporaryHome();
  const closing: (() => Promise<void> | void)[] = [() => home.remove(), () => copy.remove()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const run: Profile['command'] = (args) => command(home.path, args);
    const mine = await madeToken(run, { name: 'mine' });
    const theirs = await madeToken(run, { name: 'theirs', bank: 'the other one' });
    cpSync(home.path, copy.path, { recursive: true });
    const engines = await startStack({ services: {} });
    closing.push(() => engines.close());
    const env = await moved(copy.path, engines);
    const distributed = await startDistributed({ engines: { eventstore: env.HINDSIGHT_LEDGER_EVENTSTORE_URL }, env });
    closing.push(() => distributed.close());
    const embedded = await startEmbedded(home.path);
    closing.push(() => embedded.close());
    return { home: home.path, embedded, distributed, tokens: { mine, theirs }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Moves the ledger of a home to the engines of a stack without services. Answers the settings that find it there. */
export async function moved(home: string, to: Stack) {
  const env = {
    HINDSIGHT_LEDGER_EVENTSTORE_URL: to.eventStore!.connectionString,
    HINDSIGHT_LEDGER_KEYS_URL: to.databases.keysUrl,
    HINDSIGHT_LEDGER_MASTER_KEY_FILE: join(home, 'master.key'),
  };
  const { code, stderr } = await command(home, ['migrate', '--to', env.HINDSIGHT_LEDGER_EVENTSTORE_URL, '--yes'], {
    env,
  });
  if (code !== 0) throw new Error(`migrate: ${stderr}`);
  return env;
}
