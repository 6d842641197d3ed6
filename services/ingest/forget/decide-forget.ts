import { answer, type Decision, memoryNotFound } from '../commit/decision.js';
import {
  because,
  memoryErased,
  memoryQuarantined,
  type ReasonedCommand,
  repeated,
} from '../commit/reasoned-command.js';
import type { Remembered } from '../commit/remembered.js';

export interface ForgetCommand extends ReasonedCommand {
  /** Retract this version only: what a dry run showed. */
  readonly ifVersion?: number;
}

/** `moved`: it says something else by now than what was confirmed. */
export type Forgotten = 'forgotten' | 'unchanged' | 'moved';

/**
 * Retracting twice changes nothing; a repeated request is answered as it was the first time. What is held back is not retracted, since
 * restoring it then would let it pass unreviewed.
 */
export function decideForget(memory: Remembered, command: ForgetCommand): Decision<Forgotten> {
  const { status, version } = memory.state;
  const before = repeated<Forgotten>(memory, command, () => 'forgotten');
  if (before) return before;
  if (status === 'absent') return memoryNotFound(command.memoryId);
  if (status === 'erased') return memoryErased(command.memoryId);
  if (status === 'quarantined') return memoryQuarantined(command.memoryId);
  if (status === 'retracted') return answer('unchanged');
  if (command.ifVersion !== undefined && command.ifVersion !== version) return answer('moved');
  return because('MemoryForgotten', memory, command, 'forgotten');
}
