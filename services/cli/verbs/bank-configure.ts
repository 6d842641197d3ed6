import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { type BankSettings, type ConfigureInput, namesInput } from '#contract/bank-settings.js';
import { HindsightError } from '#contract/errors.js';
import {
  ownWeights,
  type RankingProfile,
  type RecallLeg,
  rankingProfiles,
  recallLegs,
} from '#events/recall-settings.js';
import { listed, oneOf } from '../options.js';
import { moment } from '../render/moment.js';
import { shown } from '../render/prose.js';
import { verb } from '../verb.js';

type Legs = Partial<Record<RecallLeg, boolean>>;

interface Options {
  leg?: Legs;
  ranking?: RankingProfile;
  weights?: string;
  names?: string;
}

/** In place of a file: those that ship, and no names. */
const shipped = 'shipped';
const none = 'none';

export const configure = () =>
  verb<Options>('configure', 'how a bank is recalled from, from now on', async (run, options, [name = '']) => {
    const input: ConfigureInput = {
      ...(options.leg ? { legs: options.leg } : {}),
      ...(options.ranking ? { profile: options.ranking } : {}),
      ...(options.weights === undefined ? {} : { weights: weightsOf(options.weights) }),
      ...(options.names === undefined ? {} : { names: namesOf(options.names) }),
    };
    if (Object.keys(input).length === 0)
      throw new HindsightError('invalid_input', 'Nothing to configure: give --leg, --ranking, --weights or --names.');
    const { commands, caller } = await run.open({ bank: name, missingBank: 'refuse' });
    run.out.answer(await commands.configureBank(input, caller('bank configure')), (configured) =>
      [`${shown(name)}: ${configured.status}`, ...settingLines(configured)].join('\n'),
    );
  })
    .argument('<name>')
    .option('--leg <name=on|off>', `switch ${recallLegs.join(', ')} on or off; by commas, or again`, legOf)
    .addOption(oneOf('--ranking <profile>', 'how candidates are ranked', rankingProfiles))
    .option('--weights <file>', `of \`npm run bench -- tune --from-log\`; ${shipped}: those that ship`)
    .option(
      '--names <file>',
      `JSON: [["小王", "王伟"], ["Bob", "Robert Smith"], ["Falcon"]]: names of one thing each; ${none}: none`,
    );

/** As `bank show` and `bank configure` print them. */
export function settingLines({ recall, names = [], since, by }: BankSettings): string[] {
  const { off, profile, weights } = recall;
  const legs = recallLegs.map((leg) => `${leg} ${off.includes(leg) ? 'off' : 'on'}`);
  const own = weights && `${Object.keys(weights.forms).join(', ')}, for features ${weights.features}`;
  return [
    `legs      ${legs.join(', ')}`,
    `ranking   ${profile}`,
    `weights   ${own ? `of this bank’s own (${shown(own)})` : 'those that ship'}`,
    ...(names.length > 0 ? [`names     ${names.map((group) => shown(group.join(' = '))).join(', ')}`] : []),
    ...(since === undefined ? [] : [`since     ${moment(since)}, by ${shown(by ?? '')}`]),
  ];
}

function legOf(given: string, before: Legs = {}): Legs {
  const legs = { ...before };
  const parts = listed(given, undefined);
  if (parts.length === 0)
    throw new InvalidArgumentError(
      `It names no leg: give one with =on or =off, for example time=off; legs are ${recallLegs.join(', ')}.`,
    );
  for (const part of parts) {
    const [leg, state, ...more] = part.split('=');
    if (!isLeg(leg) || (state !== 'on' && state !== 'off') || more.length > 0)
      throw new InvalidArgumentError(
        `${JSON.stringify(part)} is no leg with =on or =off; legs are ${recallLegs.join(', ')}.`,
      );
    legs[leg] = state === 'on';
  }
  return legs;
}

function isLeg(name: string | undefined): name is RecallLeg {
  return (recallLegs as readonly (string | undefined)[]).includes(name);
}

function namesOf(file: string): ConfigureInput['names'] {
  if (file === none) return null;
  insistOnFile('names', file, none);
  try {
    return namesInput.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const why =
      error instanceof SyntaxError
        ? 'it is not JSON'
        : 'it is no list of up to 200 lists of up to 12 names of up to 80 characters each';
    throw new HindsightError('invalid_input', `--names ${file} holds no names: ${why}.`, { file }, { cause: error });
  }
}

function weightsOf(file: string): ConfigureInput['weights'] {
  if (file === shipped) return null;
  insistOnFile('weights', file, shipped);
  try {
    return ownWeights.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : 'it is not as bench -- tune --from-log writes it';
    throw new HindsightError(
      'invalid_input',
      `--weights ${file} holds no weights: ${why}.`,
      { file },
      { cause: error },
    );
  }
}

/** @param word stands in place of a file */
function insistOnFile(option: 'names' | 'weights', file: string, word: string): void {
  if (file.trim() === '')
    throw new HindsightError(
      'invalid_input',
      `--${option} is ${JSON.stringify(file)}, but takes the path of a file, or ${word}.`,
      { parameter: option },
    );
  if (!existsSync(file))
    throw new HindsightError('file_not_found', `--${option}: there is no file ${file}; it takes one, or ${word}.`, {
      file,
    });
}
