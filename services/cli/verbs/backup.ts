import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { localPrincipal } from '#access/local-principal.js';
import { homePaths } from '#config/home.js';
import { counted, size } from '#query/mcp/render/shown.js';
import { masterKeyFile } from '#sealing/master-key-file.js';
import { createBackup, keysOf } from '../backup/create-backup.js';
import { keylessCounted } from '../backup/keyless-refused.js';
import { readBackup, restoreBackup } from '../backup/restore-backup.js';
import { systemSources } from '../embedded/system-sources.js';
import { openSource, openTarget } from '../migrate/open-stores.js';
import { overwriteFlag } from '../options.js';
import { isFolder, replacedFile } from '../output-file.js';
import { progress } from '../render/progress.js';
import { verb } from '../verb.js';

export const backup = () =>
  new Command('backup')
    .description('copies of the ledger and of its wrapped keys; the master key goes in neither')
    .addCommand(create())
    .addCommand(restore());

const create = () =>
  verb<{ overwrite?: boolean }>(
    'create',
    'the events to a file, then the wrapped keys to another beside it',
    async (run, { overwrite = false }, [target = '']) => {
      const { config } = run.loaded;
      const name = 'file-or-folder';
      for (const given of filesOf(target))
        await replacedFile({ name, given }, config, { overwrite: overwrite || isFolder(target) });
      const from = await openSource(config, run.out.note);
      const bar = progress(run.out, 'Backing up', 'events');
      try {
        const made = await createBackup(from, target, systemSources.now, {
          signal: run.signal,
          onlyNew: !overwrite,
          onProgress: (events) => bar.at(events),
        });
        bar.end();
        run.out.answer(made, ({ file, keys, events, bytes, epoch }) =>
          [
            `${file}: ${counted(events, 'event')}, ${size(bytes)}`,
            `${keys}: the wrapped keys, of master key epoch ${epoch}`,
            `They open with the master key of today: keep a copy of ${config.masterKeyFile} somewhere else.`,
          ].join('\n'),
        );
      } finally {
        bar.end();
        await from.close();
      }
    },
  )
    .argument('<file-or-folder>', 'a folder gets files named after the ledger and the moment')
    .option(...overwriteFlag);

/** What is written: the events and the keys. In a folder they get names that nothing has yet. */
function filesOf(target: string): string[] {
  const file = isFolder(target) ? join(target, 'hindsight-ledger.events') : target;
  return [file, keysOf(file)];
}

interface RestoreFlags {
  keys?: string;
  erasures?: string;
  eraseMissing?: boolean;
}

const restore = () =>
  verb<RestoreFlags>(
    'restore',
    'a backup into an empty home, or empty engines: with every time and hash as it was',
    async (run, { keys, erasures, eraseMissing = false }, [given = '']) => {
      const { config } = run.loaded;
      const events = resolve(given);
      const files = {
        events,
        keys: keys === undefined ? keysOf(events) : resolve(keys),
        erasures: erasures === undefined ? undefined : resolve(erasures),
      };
      const begun = config.profile === 'distributed' || existsSync(homePaths(config.home).keys);
      const read = await readBackup(files, masterKeyFile(config.masterKeyFile), { begun, eraseMissing });
      const to = await openTarget(config, read.head.ledger, `the backup ${events}`, run.out.note);
      const bar = progress(run.out, 'Restoring', 'events');
      const tools = { now: systemSources.now, uuid: systemSources.uuid, principal: localPrincipal() };
      const done = await restoreBackup(read, to, tools, {
        signal: run.signal,
        onProgress: (restored) => bar.at(restored),
      }).finally(async () => {
        bar.end();
        await to.close();
      });
      // The rest of the erasures: records of reads, and new certificates. Elsewhere the services do it when they start.
      let epoch = done.missing?.epoch ?? done.again?.epoch;
      if (epoch !== undefined && config.profile === 'embedded') {
        const { commands, vault } = await run.open({ missingBank: 'leave' });
        await commands.resumeErasures();
        epoch = await vault.epoch();
      }
      run.out.answer({ ...done, files }, ({ again, missing, ledger, streams }) =>
        [
          `Ledger ${ledger} is there again: ${counted(done.events, 'event')} of ${counted(streams, 'stream')}; every hash and chain is right.`,
          ...(again
            ? [
                `${counted(again.erasures, 'erasure')} of later applied again: ${counted(again.memories, 'memory', 'memories')}.`,
              ]
            : []),
          ...(missing ? [`Erased anew, since their keys were gone: ${keylessCounted(missing)}.`] : []),
          ...(epoch === undefined
            ? []
            : [`Master key epoch ${epoch} is in force${epoch > read.bundle.epoch.epoch ? ': copy it anew' : ''}.`]),
          'Access tokens are not in a backup: make new ones. Read models are built anew.',
        ].join('\n'),
      );
    },
  )
    .argument('<file>', 'the events')
    .option('--keys <file>', 'the wrapped keys; the file beside the events by default')
    .option('--erasures <file>', 'a later backup, or the ledger.db of a later state: what it erased is erased again')
    .option(
      '--erase-missing',
      'erase anew what the keys have none for any more, where nothing says that it was erased: refused otherwise',
    );
