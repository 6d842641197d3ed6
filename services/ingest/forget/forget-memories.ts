import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import { type ForgetFilter, type ForgetInput, type ForgetOutput, forgetInput } from '#contract/forget.js';
import { readInput } from '#contract/input/read-input.js';
import type { QueryPort } from '#contract/query-port.js';
import { keyedHash } from '#events/keyed-hash.js';
import type { BankKeys } from '#sealing/vault.js';
import { decideArchive } from '../archive/decide-archive.js';
import { basisOf } from '../commit/basis-of.js';
import type { Change, Outcome } from '../commit/commit-changes.js';
import type { CommittingDeps } from '../commit/committing-deps.js';
import { askedRequest, type KnownRequest, requestIn } from '../commit/request.js';
import { sortedJson, wellFormed } from '../write/sealed-text.js';
import { decideForget, type ForgetCommand, type Forgotten } from './decide-forget.js';

/** A dry run shows this many of what would go, and the number of all. */
const shownOfDryRun = 100;

/** Both take a memory out of what is served, and are reversible. */
type Mode = 'retract' | 'archive';

/** Memories retracted at a time. */
const batch = 500;

/** Answers to confirmed calls, kept for those whose answer was lost: the set they named is gone by then. */
const keptAnswers = 100;

interface Deps extends CommittingDeps {
  readonly matching: QueryPort['matching'];
}

type Matched = Awaited<ReturnType<QueryPort['matching']>>;

/** A confirmed call. */
interface Confirmed {
  readonly filter: ForgetFilter;
  readonly mode: Mode;
  readonly reason: string;
  readonly confirm: string;
  readonly keys: BankKeys;
  readonly request?: KnownRequest;
}

export function forgetsMemories(deps: Deps): (input: ForgetInput, caller: Caller) => Promise<ForgetOutput> {
  const { committing, vault, sources, ledgerId, recipe, matching } = deps;
  const confirmed = new Map<string, ForgetOutput>();

  async function forgetOne(memoryId: string, mode: Mode, input: ForgetInput, caller: Caller): Promise<ForgetOutput> {
    const keys = await vault.bankKeys(caller.bank);
    const { reason, idempotency_key } = input;
    const request = askedRequest(keys, caller, idempotency_key, () => asked(mode, { memoryId, reason }));
    const [outcome] = await committing.commit([changeOf(mode)({ memoryId, reason, request })], caller);
    if ('error' in outcome!) throw outcome.error;
    const forgotten = outcome!.answer === 'forgotten';
    return {
      status: forgotten ? 'forgotten' : 'unchanged',
      forgotten: forgotten ? [memoryId] : [],
      basis: basis([outcome!], caller),
    };
  }

  async function forgetMatching(
    filter: ForgetFilter,
    mode: Mode,
    input: ForgetInput,
    caller: Caller,
  ): Promise<ForgetOutput> {
    const keys = await vault.bankKeys(caller.bank);
    const { confirm, reason, idempotency_key } = input;
    const kept = `${caller.bank}/${caller.principal}/${confirm}/${keyedHash(keys.identityKey, 'confirmed', asked(mode, { filter }))}`;
    const known = confirm === undefined ? undefined : confirmed.get(kept);
    if (known) return known;
    const matched = await matching(filter, caller);
    const token = tokenOf(keys, mode, filter, matched);
    if (confirm === undefined) return dryRun(matched, token);
    const request = askedRequest(keys, caller, idempotency_key, () => asked(mode, { filter, reason, confirm }));
    const call: Confirmed = { filter, mode, reason, confirm, keys, request };
    const meant = confirm === token ? matched : await meantBefore(call, caller);
    if (!meant) throw mismatch(matched.length);
    const done = await retractAll(meant, call, caller);
    confirmed.set(kept, done);
    if (confirmed.size > keptAnswers) confirmed.delete(confirmed.keys().next().value!);
    return done;
  }

  /**
   * The set that a call retracted, wholly or in part, whose answer was lost: the memories remember the request. Undefined
   * when none does, or they are not the set that was confirmed.
   */
  async function meantBefore(call: Confirmed, caller: Caller): Promise<Matched | undefined> {
    const { filter, mode, confirm, keys, request } = call;
    if (!request) return undefined;
    const retracted: Matched = [];
    const withRest: Matched = [];
    for (const each of await matching(filter, caller, 'retracted too')) {
      const { state } = await committing.memories.upToDate(caller.bank, each.memoryId);
      const answered = state.answered.get(request.key);
      if (answered?.print === request.print) {
        retracted.push({ ...each, latest: answered.version });
        withRest.push({ ...each, latest: answered.version });
      } else if (state.status === 'current') withRest.push(each);
    }
    if (retracted.length === 0) return undefined;
    return [retracted, withRest].find((set) => tokenOf(keys, mode, filter, set) === confirm);
  }

  async function retractAll(matched: Matched, call: Confirmed, caller: Caller): Promise<ForgetOutput> {
    const { mode, reason, keys, request } = call;
    const forgotten: string[] = [];
    const outcomes: Outcome<Forgotten>[] = [];
    for (let from = 0; from < matched.length; from += batch) {
      const part = matched.slice(from, from + batch);
      const commands = part.map(({ memoryId, latest }) => ({
        memoryId,
        reason,
        request: request && requestIn(request, keys, memoryId),
        ifVersion: latest,
      }));
      const made = await committing.commit(commands.map(changeOf(mode)), caller);
      for (const [at, outcome] of made.entries()) {
        if ('error' in outcome && forgotten.length === 0) throw outcome.error;
        if ('answer' in outcome && outcome.answer === 'forgotten') forgotten.push(part[at]!.memoryId);
      }
      outcomes.push(...made);
    }
    if (forgotten.length === 0 && outcomes.some((outcome) => 'answer' in outcome && outcome.answer === 'moved'))
      throw mismatch(matched.length);
    return {
      status: forgotten.length ? 'forgotten' : 'unchanged',
      forgotten,
      total: matched.length,
      basis: basis(outcomes, caller),
    };
  }

  function basis(outcomes: readonly Outcome<Forgotten>[], caller: Caller): string | undefined {
    return basisOf(outcomes, { ledger: ledgerId, bank: caller.bank, recipe, now: sources.now() });
  }

  return async (given, caller) => {
    const input = readInput(forgetInput, given);
    wellFormed('reason', input.reason);
    const { memory_id, filter, mode = 'retract' } = input;
    if (mode === 'erase') throw new HindsightError('internal', 'An erase is another command.');
    if ((memory_id === undefined) === (filter === undefined))
      throw new HindsightError('invalid_input', 'Give either memory_id or filter: one of them, not both.');
    if (memory_id !== undefined) return forgetOne(memory_id.toLowerCase(), mode, input, caller);
    if (Object.values(filter!).every((each) => each === undefined))
      throw new HindsightError(
        'invalid_input',
        'filter is empty. Name at least one of kind, session_id, task_id, subject, tags, before, after, query.',
        { parameter: 'filter' },
      );
    return forgetMatching(filter!, mode, input, caller);
  };
}

function mismatch(total: number): HindsightError {
  return new HindsightError(
    'confirm_mismatch',
    `confirm does not belong to what this filter means now (${total === 1 ? '1 memory' : `${total} memories`}): the filter is another one, or memories were written or forgotten since the dry run.`,
    { total },
  );
}

function changeOf(mode: Mode): (command: ForgetCommand) => Change<Forgotten> {
  const rule = mode === 'archive' ? decideArchive : decideForget;
  return (command) => ({ memoryId: command.memoryId, isNew: false, decide: (memory) => rule(memory, command) });
}

/** JSON text of a request. That of a retraction names no mode: it had none when there was no other. */
function asked(mode: Mode, request: object): string {
  return sortedJson('', mode === 'retract' ? request : { ...request, mode });
}

function dryRun(matched: Matched, token: string): ForgetOutput {
  return {
    status: 'dry_run',
    forgotten: [],
    would_forget: matched
      .slice(0, shownOfDryRun)
      .map(({ memoryId, version, preview }) => ({ memory_id: memoryId, version, preview })),
    total: matched.length,
    ...(matched.length ? { confirm: token } : {}),
  };
}

/** Bound to the bank, what is done, the filter and exactly the set that was shown, the latest versions included. */
function tokenOf({ bank, identityKey }: BankKeys, mode: Mode, filter: ForgetFilter, matched: Matched): string {
  const set = matched.map(({ memoryId, latest }) => `${memoryId}@${latest}`).sort();
  return `f1.${keyedHash(identityKey, `confirm/${mode === 'retract' ? 'forget' : mode}`, bank, sortedJson('filter', filter), ...set)}`;
}
