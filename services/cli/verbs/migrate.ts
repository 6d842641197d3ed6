import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homePaths } from '#config/home.js';
import type { Config } from '#config/settings.js';
import { HindsightError } from '#contract/errors.js';
import { cancelMigration, type MigrateProgress } from '#ledger/migrate-ledger.js';
import { counted, grouped, size } from '#query/mcp/render/shown.js';
import { masterKeyFile } from '#sealing/master-key-file.js';
import { agreed } from '../ask.js';
import { exitCode } from '../exit-codes.js';
import { openHomeStores } from '../migrate/home-stores.js';
import { type MoveDone, move } from '../migrate/move.js';
import { type Coming, openEngines, openSource } from '../migrate/open-stores.js';
import type { Stores } from '../migrate/stores.js';
import { type Progress, progress } from '../render/progress.js';
import { type Run, verb } from '../verb.js';

interface Options {
  to?: string;
  toMasterKeyFile?: string;
  cancel?: boolean;
  yes?: boolean;
}

export const migrate = () =>
  verb<Options>(
    'migrate',
    'move the ledger, with its keys and tokens, to EventStoreDB or to a home; it stays in use until the switch',
    async (run, options) => {
      const { config } = run.loaded;
      const target = targetOf(options.to);
      const from = await openSource(config, run.out.note);
      try {
        const { name, ledger } = from.place;
        const question = options.cancel
          ? `Let the ledger be written to at ${name.shown} again, and give up moving it to ${target.shown}?`
          : `Move ledger ${ledger.id} from ${name.shown} to ${target.shown}? In the end writes are refused where it is now.`;
        if (!(await agreed(question, options.yes))) return run.exitWith(exitCode.wrongUsage);
        const coming = { ledger: ledger.id, from: name };
        const to = await target.open(config, options.toMasterKeyFile, coming, run.out.note);
        try {
          if (options.cancel) await cancel(run, from, to);
          else await moved(run, from, to);
        } finally {
          await to.close();
        }
      } finally {
        await from.close();
      }
    },
  )
    .option(
      '--to <url>',
      'required; esdb://… or esdb+discover://… (its keys go to HINDSIGHT_LEDGER_KEYS_URL), or the folder of a home',
    )
    .option('--to-master-key-file <file>', 'another master key there; made if there is none')
    .option('--cancel', 'after a migration that was stopped in the middle: write on where the ledger was')
    .option('--yes', 'do not ask');

interface Target {
  readonly shown: string;
  open(
    config: Config,
    masterKey: string | undefined,
    coming: Coming,
    warn: (sentence: string) => void,
  ): Promise<Stores>;
}

const accepted = 'Accepted: esdb://…, esdb+discover://…, or the folder of a home.';

function targetOf(to: string | undefined): Target {
  if (to === undefined)
    throw new HindsightError('invalid_input', `--to is missing: it says where the ledger goes. ${accepted}`, {
      parameter: 'to',
    });
  if (/^esdb(\+discover)?:\/\//.test(to))
    return {
      shown: 'EventStoreDB',
      open: (config, masterKey, coming, warn) =>
        openEngines(config, to, masterKey === undefined ? config.masterKeyFile : resolve(masterKey), coming, warn),
    };
  if (/^[a-z][a-z0-9+.-]+:/i.test(to) && !to.startsWith('file:'))
    throw new HindsightError(
      'invalid_input',
      `--to names ${to.split(':')[0]}:, which no ledger is kept in. ${accepted}`,
    );
  const home = to.startsWith('file:') ? fileURLToPath(to) : isAbsolute(to) ? to : resolve(to);
  return {
    shown: `the home ${home}`,
    async open(config, masterKey, coming) {
      // The same key, where the embedded profile looks for it.
      const file = masterKey === undefined ? homePaths(home).masterKey : resolve(masterKey);
      const stores = await openHomeStores(home, file, coming);
      const own = await masterKeyFile(config.masterKeyFile).read();
      if (masterKey === undefined && own) await stores.keys.masterKey.create(own);
      return stores;
    },
  };
}

async function cancel(run: Run, from: Stores, to: Stores): Promise<void> {
  await cancelMigration(from.place, to.place);
  run.out.answer(
    { status: 'cancelled', at: from.place.name.shown },
    ({ at }) => `The ledger is written to at ${at} again.`,
  );
}

const doing = { copying: 'Copying', checking: 'Checking', closing: 'Copying the last' } as const;

async function moved(run: Run, from: Stores, to: Stores): Promise<void> {
  let bar: { readonly phase: MigrateProgress['phase']; readonly progress: Progress } | undefined;
  const done = await move(from, to, {
    signal: run.signal,
    onProgress({ phase, events }) {
      if (bar?.phase !== phase) {
        bar?.progress.end();
        bar = { phase, progress: progress(run.out, doing[phase], 'events') };
      }
      bar.progress.at(events);
    },
  }).finally(() => bar?.progress.end());
  run.out.answer(done, render);
}

function render(done: MoveDone): string {
  if (done.status === 'was_moved_before') return `It was moved before: the ledger is at ${done.to}.`;
  const { events, streams, bytes, copied, seconds, keys, tokens } = done;
  const rate = seconds.copying > 0.5 ? `, ${grouped(Math.round(copied / seconds.copying))}/s` : '';
  return [
    `moved to ${done.to}: ${counted(events, 'event')} of ${counted(streams, 'stream')}, ${size(bytes)}; every hash and chain is right on both sides`,
    `copied now: ${counted(copied, 'event')} in ${seconds.copying.toFixed(1)} s${rate}; ${counted(keys.buckets, 'bucket')} of keys, ${counted(tokens, 'token')}`,
    `Writes were refused for ${seconds.refusing.toFixed(1)} s. At ${done.from} they are from now on; it can still be read.`,
    done.to.startsWith('esdb')
      ? 'Now: HINDSIGHT_LEDGER_PROFILE=distributed for all that used it. Read models are built there anew; where these engines served the ledger from another EventStoreDB before, drop those first (docs/migrating.md).'
      : 'Now: HINDSIGHT_LEDGER_PROFILE=embedded and that home for all that used it. Read models are built there anew.',
  ].join('\n');
}
