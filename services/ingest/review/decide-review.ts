import { answer, type Decision, memoryNotFound, refuse } from '../commit/decision.js';
import { because, memoryErased, type ReasonedCommand, repeated } from '../commit/reasoned-command.js';
import type { Remembered } from '../commit/remembered.js';

/** What a reviewer decides: hold it back, serve it again, or take it away for good. */
export type Verdict = 'quarantine' | 'release' | 'reject';

export interface ReviewCommand extends ReasonedCommand {
  readonly verdict: Verdict;
}

export interface Reviewed {
  readonly status: 'quarantined' | 'released' | 'rejected' | 'unchanged';
  readonly version: number;
}

const outcomes = { quarantine: 'quarantined', release: 'released', reject: 'rejected' } as const;

/**
 * What is served or laid aside can be held back; only what is held back is released or rejected. The same verdict twice changes nothing.
 * What was archived when it was held back is archived again by its release, in one event: it is at no moment served.
 */
export function decideReview(memory: Remembered, command: ReviewCommand): Decision<Reviewed> {
  const { verdict, memoryId } = command;
  const { status, version } = memory.state;
  const before = repeated<Reviewed>(memory, command, (then) => ({ status: outcomes[verdict], version: then }));
  if (before) return before;
  if (status === 'absent') return memoryNotFound(memoryId);
  if (status === 'erased') return memoryErased(memoryId);
  if (isSo(memory, verdict)) return answer({ status: 'unchanged', version });
  const done: Reviewed = { status: outcomes[verdict], version };
  if (verdict === 'quarantine') {
    if (status === 'retracted')
      return refuse('not_current', `Memory ${memoryId} is retracted: it is not served, and need not be held back.`, {
        memory_id: memoryId,
      });
    return because('MemoryQuarantined', memory, command, done);
  }
  if (status !== 'quarantined')
    return refuse('not_quarantined', `Memory ${memoryId} is ${status}: it is not held back for review.`, {
      memory_id: memoryId,
    });
  if (verdict === 'reject') return because('MemoryForgotten', memory, command, done);
  return because(memory.archivedBefore ? 'MemoryArchived' : 'MemoryReleased', memory, command, done);
}

function isSo({ state: { status }, lastChange, rejected, archivedBefore }: Remembered, verdict: Verdict): boolean {
  switch (verdict) {
    case 'quarantine':
      return status === 'quarantined';
    case 'release':
      return status === 'archived' ? archivedBefore : status === 'current' && lastChange === 'MemoryReleased';
    case 'reject':
      return status === 'retracted' && rejected;
  }
}
