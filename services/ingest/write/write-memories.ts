import type { Caller } from '#contract/caller.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { readInput } from '#contract/input/read-input.js';
import {
  type ImportedFrom,
  looseWriteInput,
  type WriteInput,
  type WriteItem,
  type WriteOutcome,
  type WriteOutput,
  writeInput,
  writeItem,
} from '#contract/write.js';
import { basisOf } from '../commit/basis-of.js';
import type { Change, Outcome } from '../commit/commit-changes.js';
import type { CommittingDeps } from '../commit/committing-deps.js';
import { memoryNotFound } from '../commit/decision.js';
import { problemOf } from '../commit/problem.js';
import { callKey } from '../commit/request.js';
import { orOfAnotherBank } from '../commit/whose-memory.js';
import { type ErasedValues, valueErased } from '../erase/erased-values.js';
import { decideWrite, originIn } from './decide-write.js';
import { type WriteCommand, type Writer, writeCommand } from './write-command.js';

/** An item as it was sent (checked here, one by one: a bad item never spoils the others), and where it was imported from. */
interface Sent {
  readonly item: unknown;
  readonly from?: ImportedFrom;
}

export interface WritesMemories {
  write(input: WriteInput, caller: Caller): Promise<WriteOutput>;
  importItems(items: readonly { item: WriteItem; from: ImportedFrom }[], caller: Caller): Promise<WriteOutput>;
}

interface Deps extends CommittingDeps {
  readonly erased: ErasedValues;
}

export function writesMemories(deps: Deps): WritesMemories {
  const { committing, isOfAnotherBank, vault, sources, ledgerId, recipe } = deps;

  async function outcomesOf(sent: readonly Sent[], caller: Caller, batch: boolean): Promise<Outcome<WriteOutcome>[]> {
    const keys = await vault.bankKeys(caller.bank);
    const writer: Writer = { keys, principal: caller.principal, now: sources.now(), uuid: sources.uuid };
    const outcomes = new Array<Outcome<WriteOutcome>>(sent.length);
    const commands: { readonly command: WriteCommand; readonly place: number }[] = [];
    for (const [place, { item, from }] of sent.entries()) {
      try {
        const key = callKey(caller, batch ? place : undefined);
        const command = writeCommand(
          readInput(writeItem, item),
          key === undefined ? writer : { ...writer, callKey: key },
          from,
        );
        const complete = command.derivedFrom?.length ? await withSubjectsOfSources(command, caller) : command;
        commands.push({ command: complete, place });
      } catch (error) {
        outcomes[place] = { error };
      }
    }
    const returning = await deps.erased.among(contentsNotMeant(commands), caller);
    const changes = commands.map(({ command }) =>
      changeOf(command, !isMeant(command) && returning.has(command.content)),
    );
    const committed = await committing.commit(changes, caller);
    for (const [at, outcome] of committed.entries()) outcomes[commands[at]!.place] = outcome;
    return outcomes;
  }

  /** What is derived from others is about whomever they are about. */
  async function withSubjectsOfSources(command: WriteCommand, caller: Caller): Promise<WriteCommand> {
    const subjects = new Set<string>();
    for (const id of command.derivedFrom ?? []) {
      const source = await committing.memories.upToDate(caller.bank, id);
      if (source.state.status === 'absent')
        throw await orOfAnotherBank(memoryNotFound(id, 'derived_from').error, id, caller, isOfAnotherBank);
      for (const name of source.subjects) subjects.add(name);
    }
    return subjects.size ? { ...command, subjectsOfSources: [...subjects] } : command;
  }

  function basis(outcomes: readonly Outcome<WriteOutcome>[], caller: Caller): string | undefined {
    return basisOf(outcomes, { ledger: ledgerId, bank: caller.bank, recipe, now: sources.now() });
  }

  async function writeMany(sent: readonly Sent[], caller: Caller): Promise<WriteOutput> {
    const outcomes = await outcomesOf(sent, caller, true);
    const items = outcomes.map(outcomeOf);
    return { status: statusOf(items), items, basis: basis(outcomes, caller) };
  }

  return {
    async write(input, caller) {
      if (typeof input === 'object' && input !== null && (input.items ?? undefined) !== undefined)
        return writeMany(itemsOf(input), caller);
      const [outcome] = await outcomesOf([{ item: input }], caller, false);
      if ('error' in outcome!) throw outcome.error;
      return { ...outcome!.answer, basis: basis([outcome!], caller) };
    },
    importItems(items, caller) {
      // What may come back although it was erased says so in every event.
      const on = items.some(({ from }) => from.allowErased)
        ? { ...caller, tool: `${caller.tool ?? 'import'} --allow-erased` }
        : caller;
      return writeMany(items, on);
    },
  };
}

function contentsNotMeant(commands: readonly { readonly command: WriteCommand }[]): string[] {
  return commands.filter(({ command }) => !isMeant(command)).map(({ command }) => command.content);
}

/** Somebody says it now; or it was said on purpose that what was erased may come back. */
function isMeant(command: WriteCommand): boolean {
  const origin = originIn(command);
  return (origin !== 'import' && origin !== 'system' && !command.from) || command.from?.allowErased === true;
}

/** @param wasErased what it says was, and is not meant to come back: it may be there again already, but is not written */
function changeOf(command: WriteCommand, wasErased: boolean): Change<WriteOutcome> {
  return {
    memoryId: command.memoryId,
    isNew: command.isNew,
    decide(memory, now) {
      const decision = decideWrite(memory, command, now);
      return wasErased && decision.is === 'event' ? { is: 'refusal', error: valueErased(command.memoryId) } : decision;
    },
  };
}

/** The items of a batch, unread. @throws HindsightError when they are no batch, or something stands beside them */
function itemsOf(input: WriteInput): Sent[] {
  const { items = [], ...others } = readInput(looseWriteInput, input, { listed: writeInput });
  const beside = Object.keys(others).filter((name) => others[name as keyof typeof others] !== undefined);
  if (beside.length)
    throw new HindsightError(
      'invalid_input',
      `${beside.join(', ')} cannot stand beside items. Give them in each item, or leave items out.`,
      { parameter: beside[0] },
    );
  return items.map((item) => ({ item }));
}

function outcomeOf(outcome: Outcome<WriteOutcome>): WriteOutcome {
  if (!('error' in outcome)) return outcome.answer;
  const status = isHindsightError(outcome.error, 'concurrent_write') ? 'conflict' : 'error';
  return { status, error: problemOf(outcome.error) };
}

/** Of a batch: the best that any of its items came to. */
function statusOf(items: readonly WriteOutcome[]): WriteOutcome['status'] {
  const ranked = ['stored', 'quarantined', 'unchanged', 'conflict'] as const;
  return ranked.find((status) => items.some((item) => item.status === status)) ?? 'error';
}
