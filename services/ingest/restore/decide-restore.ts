import { answer, type Decision, memoryNotFound, refuse } from '../commit/decision.js';
import {
  because,
  memoryErased,
  memoryQuarantined,
  type ReasonedCommand,
  repeated,
} from '../commit/reasoned-command.js';
import type { Remembered } from '../commit/remembered.js';

export interface Restored {
  readonly status: 'restored' | 'unchanged';
  readonly version: number;
}

/** Of the caller: a reviewer may take back what a reviewer decided. */
export interface RestoreCommand extends ReasonedCommand {
  readonly byReviewer: boolean;
}

/**
 * What is retracted or archived can be restored; restoring twice changes nothing.
 * @param now milliseconds since the epoch: what has expired is not served, and yet not forgotten
 */
export function decideRestore(memory: Remembered, command: RestoreCommand, now: number): Decision<Restored> {
  const { status, version, latest } = memory.state;
  const before = repeated<Restored>(memory, command, (then) => ({ status: 'restored', version: then }));
  if (before) return before;
  if (status === 'absent') return memoryNotFound(command.memoryId);
  if (status === 'erased') return memoryErased(command.memoryId);
  if (status === 'quarantined') return memoryQuarantined(command.memoryId);
  if (status === 'current') {
    if (memory.lastChange === 'MemoryRestored' || memory.lastChange === 'MemoryUnarchived')
      return answer({ status: 'unchanged', version });
    const is =
      latest && latest.expiresAt <= now
        ? `it expired at ${new Date(latest.expiresAt).toISOString()}; write it again if it still holds`
        : `it is current, at version ${version}`;
    return refuse('not_forgotten', `Memory ${command.memoryId} is not forgotten: ${is}.`, {
      memory_id: command.memoryId,
      version,
    });
  }
  if (memory.rejected && !command.byReviewer)
    return refuse(
      'forbidden',
      `Memory ${command.memoryId} was rejected by a reviewer: restoring it needs the role reviewer.`,
      {
        memory_id: command.memoryId,
        role: 'reviewer',
      },
    );
  return because(status === 'archived' ? 'MemoryUnarchived' : 'MemoryRestored', memory, command, {
    status: 'restored',
    version,
  });
}
