import { Command } from 'commander';
import { recordRotation } from '#ledger/record-rotation.js';
import { writeBundle } from '#sealing/key-copy.js';
import { agreed } from '../ask.js';
import { systemSources } from '../embedded/system-sources.js';
import { exitCode } from '../exit-codes.js';
import { openSource } from '../migrate/open-stores.js';
import { overwriteFlag } from '../options.js';
import { replacedFile } from '../output-file.js';
import { verb } from '../verb.js';

export const keys = () =>
  new Command('keys')
    .description('the master key and the keys that it wraps')
    .addCommand(rotate())
    .addCommand(backup());

const rotate = () =>
  verb<{ yes?: boolean }>(
    'rotate',
    'a new master key; no event is touched, and nobody who writes is stopped',
    async (run, { yes }) => {
      const question = `Make a new master key in ${run.loaded.config.masterKeyFile}? Copies of the former one, and of the keys that it wraps, are of no use any more.`;
      if (!(await agreed(question, yes))) return run.exitWith(exitCode.wrongUsage);
      const { vault, ledger, sources, caller } = await run.open({ missingBank: 'leave' });
      const { epoch } = await vault.rotate();
      const { principal } = caller('keys rotate');
      await recordRotation(ledger, { now: sources.now, uuid: sources.uuid, principal }, { epoch, cause: 'asked' });
      run.out.answer(
        { epoch, master_key_file: run.loaded.config.masterKeyFile },
        (done) =>
          `Master key epoch ${done.epoch} is in force. Copy ${done.master_key_file} anew, and let the former copy go.`,
      );
    },
    ['keyBackup'],
  )
    .option('--yes', 'do not ask')
    .option('--key-backup <file>', 'where the copy of the wrapped keys is made anew')
    .option('--no-key-backup', 'make none, although one was made before');

const backup = () =>
  verb<{ overwrite?: boolean }>(
    'backup',
    'a copy of the wrapped keys, which open with the master key of today only',
    async (run, { overwrite = false }, [given = '']) => {
      const file = await replacedFile({ name: 'file', given }, run.loaded.config, { overwrite });
      const from = await openSource(run.loaded.config, run.out.note);
      try {
        const { keyStore } = from.keys;
        const onlyNew = !overwrite;
        const epoch = await writeBundle(keyStore, file, from.place.ledger.id, systemSources.now(), { onlyNew });
        run.out.answer(
          { file, epoch },
          () =>
            `${file}: the wrapped keys, of master key epoch ${epoch}. ${run.loaded.config.masterKeyFile} is not in it: keep that apart.`,
        );
      } finally {
        await from.close();
      }
    },
  )
    .argument('<file>', 'where the copy is put')
    .option(...overwriteFlag);
