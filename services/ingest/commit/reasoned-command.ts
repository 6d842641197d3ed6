import type { MemoryTurned } from '#events/catalogue.js';
import { answer, type Decision, decide, keyReused, refuse } from './decision.js';
import type { Remembered } from './remembered.js';
import type { KnownRequest } from './request.js';

/** What is to happen to a whole memory, and why. */
export interface ReasonedCommand {
  readonly memoryId: string;
  readonly reason: string;
  readonly request?: KnownRequest;
}

/**
 * A repeated request is answered as it was the first time; undefined for one that is new.
 * @param answerAt what was answered at that version of the memory
 */
export function repeated<A>(
  { state }: Remembered,
  { memoryId, request }: Pick<ReasonedCommand, 'memoryId' | 'request'>,
  answerAt: (version: number) => A,
): Decision<A> | undefined {
  const answered = request && state.answered.get(request.key);
  if (!answered) return undefined;
  return answered.print === request.print ? answer(answerAt(answered.version)) : keyReused(memoryId);
}

/** The event, with its reason and in the session and step of the memory. */
export function because<A>(
  type: MemoryTurned['type'],
  { identity, subjects }: Remembered,
  { memoryId, reason, request }: ReasonedCommand,
  given: A,
): Decision<A> {
  return decide(
    { type, data: { memoryId }, content: { reason, idempotencyKey: request?.idempotencyKey } },
    {
      id: request?.eventId,
      request: request && { key: request.key, print: request.print },
      session: identity.session,
      step: identity.step,
      subjects,
    },
    given,
  );
}

/** Nothing can be done to a memory that was erased, but to write it anew. */
export function memoryErased(memoryId: string) {
  return refuse('memory_erased', `Memory ${memoryId} was erased: nothing of what it said is left.`, {
    memory_id: memoryId,
  });
}

/** What is held back for a reviewer is taken away, laid aside or brought back by nobody else. */
export function memoryQuarantined(memoryId: string) {
  return refuse('memory_quarantined', `Memory ${memoryId} is held back until a reviewer has looked at it.`, {
    memory_id: memoryId,
  });
}
