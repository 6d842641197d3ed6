import { HindsightError } from '#contract/errors.js';
import type { WriteInput, WriteOutput } from '#contract/write.js';
import { memoryKinds, memoryOrigins } from '#events/version-fields.js';
import { exitCode } from '../exit-codes.js';
import { fraction, jsonObject, listed, oneOf, parameters, textOrStdin, wholeNumber } from '../options.js';
import { verb } from '../verb.js';

interface Options extends Record<string, unknown> {
  object?: boolean;
}

const names = [
  'kind',
  'key',
  'memory_id',
  'if_version',
  'session_id',
  'task_id',
  'step',
  'action',
  'occurred_at',
  'valid_from',
  'valid_to',
  'ttl',
  'origin',
  'importance',
  'confidence',
  'subjects',
  'tags',
  'metadata',
  'idempotency_key',
] as const;

export const write = () =>
  verb<Options>('write', 'remember something', async (run, options, [given = '-']) => {
    const text = textOrStdin(given);
    const content = options.object ? contentObject(text) : text;
    const input = { origin: 'user', ...parameters(options, names), content } as WriteInput;
    const { commands, caller } = await run.open({ missingBank: 'make' });
    const done = await commands.write(input, caller('write'));
    run.out.answer(done, render);
    if (done.status === 'conflict') run.exitWith(exitCode.foundWrong);
  })
    .argument('[content]', 'what to remember; - or nothing reads it from stdin')
    .option('--object', 'the content is a JSON object')
    .addOption(oneOf('--kind <kind>', 'semantic by default', memoryKinds))
    .option('--key <slot>', 'the slot that this fact fills: the same key again supersedes')
    .option('--memory-id <id>', 'revise this memory')
    .option('--if-version <number>', 'only if the memory is at this version (0: only if it is not there)', wholeNumber)
    .option('--session-id <id>', 'the session that this belongs to')
    .option('--task-id <id>', 'the task that this belongs to')
    .option('--step <step>', 'the step of the task')
    .option('--action <action>', 'what was done in the step; all three again are the same memory')
    .option('--occurred-at <time>', 'when it happened')
    .option('--valid-from <time>', 'since when it is true (ISO 8601, as all times)')
    .option('--valid-to <time>', 'until when it is true')
    .option('--ttl <duration>', 'it expires after this: seconds, or 30m, 12h, 7d')
    .addOption(oneOf('--origin <origin>', 'user by default', memoryOrigins))
    .option('--importance <number>', 'from 0 to 1', fraction)
    .option('--confidence <number>', 'from 0 to 1', fraction)
    .option('--subjects <list>', 'names of the people that it is about, separated by commas', listed)
    .option('--tags <list>', 'separated by commas', listed)
    .option('--metadata <json>', 'a JSON object', jsonObject)
    .option('--idempotency-key <key>', 'the same call again changes nothing');

/** As `jsonObject`, whose error the parser of options turns into a line; nobody does so here. */
function contentObject(text: string): Record<string, unknown> {
  try {
    return jsonObject(text);
  } catch (error) {
    throw new HindsightError('invalid_input', `content is no JSON object. ${(error as Error).message}`, {
      parameter: 'content',
    });
  }
}

function render(done: WriteOutput): string {
  if (done.status === 'conflict') return conflict(done);
  const superseded = done.superseded === undefined ? '' : `, supersedes version ${done.superseded}`;
  return `${done.status}: ${done.memory_id}, version ${done.version}${superseded}`;
}

function conflict({ status, memory_id, version, error }: WriteOutput): string {
  const at = version === undefined ? '' : `, version ${version}`;
  const next =
    version === undefined
      ? 'Write it with --if-version 0, or without it.'
      : `Read it again (hindsight-ledger history ${memory_id}), then revise what it says now with --if-version ${version}.`;
  return [`${status}: ${memory_id}${at}`, ['Nothing was stored.', error?.message, next].filter(Boolean).join(' ')].join(
    '\n',
  );
}
