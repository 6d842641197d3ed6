import { answer, type Decision, decide, keyReused, memoryNotFound } from '../commit/decision.js';
import type { Remembered } from '../commit/remembered.js';
import type { KnownRequest } from '../commit/request.js';

export interface ForgetCommand {
  readonly memoryId: string;
  readonly reason: string;
  readonly request?: KnownRequest;
  /** Retract this version only: what a dry run showed. */
  readonly ifVersion?: number;
}

/** `moved`: it says something else by now than what was confirmed. */
export type Forgotten = 'forgotten' | 'unchanged' | 'moved';

/** Retracting twice changes nothing; a repeated request is answered as it was the first time. */
export function decideForget(memory: Remembered, command: ForgetCommand): Decision<Forgotten> {
  const { state, identity, subjects } = memory;
  const { memoryId, request } = command;
  const answered = request && state.answered.get(request.key);
  if (answered) return answered.print === request.print ? answer('forgotten') : keyReused(memoryId);
  if (state.status === 'absent') return memoryNotFound(memoryId);
  if (state.status === 'retracted') return answer('unchanged');
  if (command.ifVersion !== undefined && command.ifVersion !== state.version) return answer('moved');
  return decide(
    {
      type: 'MemoryForgotten',
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
    'forgotten',
  );
}
