import { answer, type Decision, decide, keyReused, memoryNotFound, refuse } from '../commit/decision.js';
import type { Remembered } from '../commit/remembered.js';
import type { KnownRequest } from '../commit/request.js';

export interface RestoreCommand {
  readonly memoryId: string;
  readonly reason: string;
  readonly request?: KnownRequest;
}

export interface Restored {
  readonly status: 'restored' | 'unchanged';
  readonly version: number;
}

/** Only what is retracted can be restored; restoring twice changes nothing. */
export function decideRestore(memory: Remembered, command: RestoreCommand): Decision<Restored> {
  const { state, identity, subjects } = memory;
  const { memoryId, request } = command;
  const answered = request && state.answered.get(request.key);
  if (answered) {
    return answered.print === request.print
      ? answer({ status: 'restored', version: answered.version })
      : keyReused(memoryId);
  }
  if (state.status === 'absent') return memoryNotFound(memoryId);
  if (state.status === 'current') {
    if (memory.lastChange === 'MemoryRestored') return answer({ status: 'unchanged', version: state.version });
    return refuse('not_forgotten', `Memory ${memoryId} is not forgotten: it is current, at version ${state.version}.`, {
      memory_id: memoryId,
      version: state.version,
    });
  }
  return decide(
    {
      type: 'MemoryRestored',
      data: { memoryId },
      content: { reason: command.reason, idempotencyKey: request?.idempotencyKey },
    },
    {
      id: request?.eventId,
      request: request && { key: request.key, print: request.print },
      session: identity.session,
      step: identity.step,
      subjects,
    },
    { status: 'restored', version: state.version },
  );
}
