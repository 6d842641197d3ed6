import { answer, type Decision, memoryNotFound, refuse } from '../commit/decision.js';
import {
  because,
  memoryErased,
  memoryQuarantined,
  type ReasonedCommand,
  repeated,
} from '../commit/reasoned-command.js';
import type { Remembered } from '../commit/remembered.js';

export interface ArchiveCommand extends ReasonedCommand {
  /** Lay aside this version only: what a dry run showed. */
  readonly ifVersion?: number;
}

/** `moved`: it says something else by now than what was confirmed. */
export type Archived = 'forgotten' | 'unchanged' | 'moved';

/** Only what is current is laid aside; doing it twice changes nothing. */
export function decideArchive(memory: Remembered, command: ArchiveCommand): Decision<Archived> {
  const { status, version } = memory.state;
  const { memoryId } = command;
  const before = repeated<Archived>(memory, command, () => 'forgotten');
  if (before) return before;
  switch (status) {
    case 'absent':
      return memoryNotFound(memoryId);
    case 'erased':
      return memoryErased(memoryId);
    case 'quarantined':
      return memoryQuarantined(memoryId);
    case 'archived':
      return answer('unchanged');
    case 'retracted':
      return refuse('not_current', `Memory ${memoryId} is retracted: it is not served, and cannot be laid aside.`, {
        memory_id: memoryId,
      });
    case 'current':
      if (command.ifVersion !== undefined && command.ifVersion !== version) return answer('moved');
      return because('MemoryArchived', memory, command, 'forgotten');
  }
}
