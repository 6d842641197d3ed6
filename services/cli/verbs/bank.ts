import { Command } from 'commander';
import { renderStored } from '#query/mcp/render/render-stats.js';
import { reasonFor } from '../ask.js';
import { bankNames } from '../embedded/bank-names.js';
import { noSuchBank } from '../embedded/no-such-bank.js';
import { overwriteFlag } from '../options.js';
import { moment } from '../render/moment.js';
import { shown } from '../render/prose.js';
import { verb } from '../verb.js';
import { configure, settingLines } from './bank-configure.js';
import { type EraseOptions, eraseAsked } from './erase.js';

export const bank = () =>
  new Command('bank')
    .description('the banks of this home: none sees another')
    .addCommand(list())
    .addCommand(create())
    .addCommand(show())
    .addCommand(configure())
    .addCommand(remove());

const list = () =>
  verb('list', 'all banks', async (run) => {
    const found = await bankNames(await run.open({ missingBank: 'leave' })).all();
    run.out.answer(found, () =>
      found.length === 0
        ? 'No bank yet: the first write makes one.'
        : found
            .map(
              ({ name, id, created }) => `${shown(name)}  ${run.out.style('dim', `${id}, since ${moment(created)}`)}`,
            )
            .join('\n'),
    );
  });

const create = () =>
  verb('create', 'a bank; the first write to one makes it too', async (run, _options, [name]) => {
    const opened = await run.open({ bank: name, missingBank: 'make' });
    run.out.answer({ name: opened.config.bank, id: opened.bank }, (made) => `${shown(made.name)}  ${made.id}`);
  }).argument('<name>');

const show = () =>
  verb('show', 'what a bank holds, and how it is recalled from', async (run, _options, [given]) => {
    const name = given ?? run.loaded.config.bank;
    const opened = await run.open({ missingBank: 'leave' });
    const banks = await bankNames(opened).all();
    const found = banks.find((each) => each.name === name);
    if (!found) throw noSuchBank(name, banks);
    const counted = await opened.queries.stats({ ...opened.caller('stats'), bank: found.id });
    const stats = { ...counted, bank: found.name };
    const settings = await opened.commands.bankSettings(found.id);
    run.out.answer({ ...found, settings, stats }, () =>
      [renderStored(stats), '', ...settingLines(settings)].join('\n'),
    );
  }).argument('[name]');

const remove = () =>
  verb<EraseOptions>(
    'delete',
    'destroy a bank for good, with all that is in it',
    async (run, options, [name = '']) => {
      const reason = await reasonFor(options.reason ?? (options.dryRun ? 'dry run' : undefined));
      const opened = await run.open({ bank: name, missingBank: 'refuse' });
      await eraseAsked(run, options, {
        what: `the bank ${shown(name)}`,
        whole: true,
        ask: (confirm) =>
          opened.commands.eraseBank({ reason, ...(confirm ? { confirm } : {}) }, opened.caller('bank delete')),
      });
    },
    ['keyBackup'],
  )
    .argument('<name>')
    .option('--reason <text>', 'why: it is on record until the keys of the bank are gone')
    .option('--dry-run', 'only show what would go')
    .option('--certificate <file>', 'write the certificate to a file')
    .option(...overwriteFlag)
    .option('--key-backup <file>', 'where the copy of the wrapped keys is made anew')
    .option('--no-key-backup', 'make none, although one was made before')
    .option('--yes', 'do not ask');
