import { Command } from 'commander';
import { shown } from '../render/prose.js';
import { verb } from '../verb.js';

export const subject = () =>
  new Command('subject').description('the people that memories are about').addCommand(alias());

const alias = () =>
  verb(
    'alias',
    'say that two names mean one person: an erasure takes both',
    async (run, _options, [name = '', other = '']) => {
      const { commands, caller } = await run.open();
      run.out.answer(
        await commands.alias({ name, alias: other }, caller('subject alias')),
        ({ status, names }) =>
          `${status === 'stored' ? 'One person now' : 'One person already'}: ${names.map(shown).join(', ')}`,
      );
    },
  )
    .argument('<name>', 'a person, as memories name them')
    .argument('<alias>', 'another name of the same person');
