import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { settings, variableOf } from '#config/settings.js';
import { createProgram } from './program.js';

/** docs/commands.md says what the program says of itself: `npx vitest run --project unit services/cli/commands-page.spec.ts -u` writes it anew. */
const page = join(import.meta.dirname, '..', '..', 'docs', 'commands.md');
const common = ['--home', '--bank', '--master-key-file', '--log-level', '--json'];

it('is as docs/commands.md has it: every verb, flag and setting', async () => {
  const program = createProgram();
  const verbs = program.commands.flatMap((verb) => (verb.commands.length > 0 ? [verb, ...verb.commands] : [verb]));
  expect(verbs.length).toBeGreaterThan(30);
  const text = [
    '# Every verb, flag and setting',
    'This page is made of what `--help` and `config` say, and a test holds it to that. What verbs and tools are for: [operating it](operate.md), [the tools](tools.md).',
    'Before or after each verb:',
    flagsOf(program, ({ long }) => common.includes(long ?? '')),
    'Before the verb, or without one:',
    flagsOf(program, ({ long }) => !common.includes(long ?? '')),
    ...verbs.flatMap((verb) => [
      `## ${nameOf(verb)}`,
      sentence(verb.description()),
      flagsOf(verb, ({ long }) => !common.includes(long ?? '')),
    ]),
    '## Settings',
    'A flag, where a verb has one, then the variable, then `config.json` in the home (`log_level` for `HINDSIGHT_LEDGER_LOG_LEVEL`), then the default. A wrong value stops the start with a line that names it.',
    settingsTable(),
  ];
  await expect(`${text.filter(Boolean).join('\n\n')}\n`).toMatchFileSnapshot(page);
});

function nameOf(verb: Command): string {
  const parents: string[] = [];
  for (let at: Command | null = verb; at?.parent; at = at.parent) parents.unshift(at.name());
  const given = verb.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '…' : '');
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return `\`${[...parents, ...given].join(' ')}\``;
}

function flagsOf(verb: Command, isMeant: (option: Option) => boolean): string {
  const options = verb.options.filter((option) => !option.hidden && isMeant(option));
  if (options.length === 0) return '';
  return table(
    ['flag', 'what it says'],
    options.map(({ flags, description, argChoices }) => [
      `\`${flags}\``,
      argChoices ? `${description} (${argChoices.join(', ')})` : description,
    ]),
  );
}

function settingsTable(): string {
  return table(
    ['variable', 'takes', 'by default', 'what it says'],
    Object.entries(settings).map(([name, { accepts, about, fallback }]) => [
      `\`${variableOf(name as keyof typeof settings)}\``,
      accepts,
      shownDefault(fallback),
      about,
    ]),
  );
}

function shownDefault(fallback: unknown): string {
  const text = [fallback].flat().join(',');
  return text && `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
