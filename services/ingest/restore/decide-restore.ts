import { answer, type Decision, memoryNotFound, refuse } from '../commit/decision.js';
import { because, type ReasonedCommand, repeated } from '../commit/reasoned-command.js';
import type { Remembered } from '../commit/remembered.js';

export interface Restored {
  readonly status: 'restored' | 'unchanged';
  readonly version: number;
}

/** Only what is retracted can be restored; restoring twice changes nothing. */
export function decideRestore(memory: Remembered, command: ReasonedCommand): Decision<Restored> {
  const { status, version } = memory.state;
  const before = repeated<Restored>(memory, command, (then) => ({ status: 'restored', version: then }));
  if (before) return before;
  if (status === 'absent') return memoryNotFound(command.memoryId);
  if (status === 'current') {
    if (memory.lastChange === 'MemoryRestored') return answer({ status: 'unchanged', version });
    return refuse(
      'not_forgotten',
      `Memory ${command.memoryId} is not forgotten: it is current, at version ${version}.`,
      { memory_id: command.memoryId, version },
    );
  }
  return because('MemoryRestored', memory, command, { status: 'restored', version });
}
