import type { z } from 'zod';
import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { HindsightError } from '#contract/errors.js';
import { readInput } from '#contract/input/read-input.js';
import {
  looseWriteInput,
  type WriteItem,
  type WriteOutcome,
  writeInput,
  writeItem,
  writeOutput,
} from '#contract/write.js';
import { renderWrite } from '../render/render-write.js';
import { defineTool } from '../tool.js';

/** Each item of a batch is validated by itself, so that one wrong item costs only itself. */
export const memoryWrite = (commands: CommandPort) =>
  defineTool({
    name: 'memory_write',
    title: 'Remember',
    description:
      'Store something worth knowing in a later session, as soon as you learn it: a decision and its reason, a fact about the project or the user, a preference, what was tried and how it went. One fact per memory, in a sentence that stands by itself. When a fact has changed, write it again with the same `key` (or `memory_id`): the old version stays in history and is no longer served. Give `valid_from` when it became true at another time than now, and `session_id` and `task_id` when it belongs to a session or a task. Use `items` for several at once. Do not store secrets, or what the code and its history already say.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    input: looseWriteInput,
    listedInput: writeInput,
    output: writeOutput,
    call: (given, caller) => write(commands, given, caller),
    render: renderWrite,
  });

async function write(commands: CommandPort, given: z.output<typeof looseWriteInput>, caller: Caller) {
  const { items, ...single } = given;
  if (!items) return commands.write(single, caller);
  const read = items.map((item, index) => readItem(item, index));
  const good = read.filter((entry) => 'content' in entry);
  if (good.length === 0) return { status: 'error' as const, items: read.filter((entry) => 'error' in entry) };
  const answer = await commands.write({ ...single, items: good }, caller);
  if (good.length === items.length) return answer;
  const outcomes = (answer.items ?? []).values();
  const merged = read.map((entry): WriteOutcome => ('content' in entry ? (outcomes.next().value ?? missing) : entry));
  return { ...answer, items: merged };
}

const missing: WriteOutcome = { status: 'error' };

function readItem(item: unknown, index: number): WriteItem | (WriteOutcome & { error: object }) {
  try {
    return readInput(writeItem, item, { within: ['items', index] });
  } catch (error) {
    if (!(error instanceof HindsightError)) throw error;
    const { code, message, hint, details } = error;
    return { status: 'error', error: { code, message, hint, details: { ...details } } };
  }
}
