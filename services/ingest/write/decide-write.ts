import { HindsightError } from '#contract/errors.js';
import type { WriteOutcome } from '#contract/write.js';
import type { MemoryOrigin, VersionContent, VersionData } from '#events/version-fields.js';
import { afterWrite } from '#memory/fold-memory.js';
import { saysAlready } from '#memory/version-state.js';
import { answer, type Decision, decide, type EventOrigin, keyReused, memoryNotFound } from '../commit/decision.js';
import { problemOf } from '../commit/problem.js';
import type { Remembered } from '../commit/remembered.js';
import { valueErased } from '../erase/erased-values.js';
import type { WriteCommand } from './write-command.js';

/**
 * How much a statement is believed for where it came from, until corroboration or feedback says more: conventions
 * (docs/decisions/0006-trust-and-defaults.md).
 */
const trustOf: Record<MemoryOrigin, number> = { user: 1, agent: 0.8, tool: 0.6, import: 0.5, system: 1 };

/**
 * The first version of a memory or the next one; nothing when the memory already says so. A repeated request is answered
 * as it was the first time, before anything else is looked at; but a record that was imported and erased since is refused, or written
 * anew where it is meant to come back.
 * @param memory the fold of the memory's own stream
 * @param now milliseconds since the epoch: what has expired no longer says anything
 */
export function decideWrite(memory: Remembered, command: WriteCommand, now: number): Decision<WriteOutcome> {
  const { state } = memory;
  const answered = command.request && state.answered.get(command.request.key);
  const isSame = answered?.print === command.request?.print;
  // What an import brought and an erasure took is not there already.
  const isErased =
    command.from !== undefined && answered !== undefined && answered.version <= (state.erasedThrough ?? 0);
  if (isErased && isSame && !command.from?.allowErased) return { is: 'refusal', error: valueErased(command.memoryId) };
  if (answered && isSame && !isErased)
    return answer(
      command.from ? unchanged(memory, answered.version) : storedAs(answered.outcome, memory, answered.version),
    );
  if (answered && !command.from) return keyReused(command.memoryId);
  if (command.revises && state.status === 'absent') return memoryNotFound(command.memoryId);
  if (command.ifVersion !== undefined && command.ifVersion !== state.version)
    return answer(conflict(memory, command.ifVersion));

  if (isHeld(memory, command, now)) return answer(unchanged(memory, state.version));
  const versioned = { data: dataOf(memory, command), content: contentOf(memory, command) };
  return decide(
    state.version === 0 ? { type: 'MemoryRecorded', ...versioned } : { type: 'MemoryRevised', ...versioned },
    originOf(memory, command),
    storedAs(afterWrite(state.status), memory, state.version + 1),
  );
}

/** A write to what is held back for review is held back with it, and takes the place of nothing until it is released. */
function storedAs(outcome: string, { state }: Remembered, version: number): WriteOutcome {
  if (outcome === 'quarantined') return { memory_id: state.memoryId, version, status: 'quarantined' };
  const superseded = version > 1 ? { superseded: version - 1 } : {};
  return { memory_id: state.memoryId, version, status: 'stored', ...superseded };
}

function unchanged({ state }: Remembered, version: number): WriteOutcome {
  return { memory_id: state.memoryId, version, status: 'unchanged' };
}

function conflict({ state }: Remembered, expected: number): WriteOutcome {
  const found = state.version === 0 ? 'the memory does not exist' : `the memory is at version ${state.version}`;
  return {
    memory_id: state.memoryId,
    ...(state.version > 0 ? { version: state.version } : {}),
    status: 'conflict',
    error: problemOf(
      new HindsightError('version_conflict', `if_version is ${expected}, but ${found}.`, {
        expected,
        actual: state.version,
      }),
    ),
  };
}

function dataOf({ state }: Remembered, command: WriteCommand): VersionData {
  return {
    memoryId: command.memoryId,
    version: state.version + 1,
    kind: command.kind ?? state.latest?.kind ?? 'semantic',
    origin: originIn(command),
    occurredAt: command.occurredAt,
    validFrom: command.validFrom,
    validTo: command.validTo,
    expiresAt: command.expiresAt,
    importance: command.importance,
    confidence: command.confidence,
    derivedFrom: command.derivedFrom?.length ? [...command.derivedFrom] : undefined,
  };
}

/**
 * Whether the latest version holds at the time that is written about and says all that is given: a field that a write
 * leaves out asks for no change (docs/decisions/0007-when-a-write-changes-nothing.md).
 */
function isHeld(memory: Remembered, command: WriteCommand, now: number): boolean {
  const { status, latest } = memory.state;
  if (status !== 'current' || latest === undefined || latest.expiresAt <= now) return false;
  const stated = command.validFrom ?? command.occurredAt;
  const from = stated === undefined ? now : Date.parse(stated);
  if (from < latest.validFrom || latest.validTo <= from) return false;
  const subjects = command.subjects || command.subjectsOfSources ? subjectsOf(memory, command) : undefined;
  return saysAlready(latest, {
    ...command,
    subjects: subjects ?? command.subjects,
    expiresAt: command.expiryStays ? undefined : command.expiresAt,
  });
}

/** What is not said of an origin. */
export function originIn(command: WriteCommand): MemoryOrigin {
  return command.origin ?? (command.from ? 'import' : 'agent');
}

/**
 * A revision keeps what the memory is (its natural key), and whom it is about unless it says otherwise. Of one that was erased the write
 * says so anew: a key that it gives is the memory's, or it would be another memory.
 */
function contentOf(memory: Remembered, command: WriteCommand): VersionContent {
  const { identity, state } = memory;
  const first = state.version === 0;
  return {
    content: command.content,
    key: identity.key ?? command.key,
    tags: command.tags?.length ? [...command.tags] : undefined,
    metadata: command.metadata === '{}' ? undefined : command.metadata,
    subjects: subjectsOf(memory, command),
    action: (first ? undefined : identity.action) ?? command.action,
    externalSource: command.from?.source ?? memory.external.externalSource,
    externalId: command.from?.id ?? memory.external.externalId,
    idempotencyKey: command.request?.idempotencyKey,
  };
}

function subjectsOf(memory: Remembered, command: WriteCommand): string[] | undefined {
  const names = [...(command.subjects ?? memory.subjects), ...(command.subjectsOfSources ?? [])];
  return names.length ? [...new Set(names)] : undefined;
}

function originOf(memory: Remembered, command: WriteCommand): EventOrigin {
  const { request } = command;
  return {
    id: request?.eventId,
    request: request && { key: request.key, print: request.print },
    session: command.session ?? memory.identity.session,
    task: command.task,
    step: command.step ?? memory.identity.step,
    trust: trustOf[originIn(command)],
    subjects: subjectsOf(memory, command),
  };
}
