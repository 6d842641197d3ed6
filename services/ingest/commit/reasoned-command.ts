import { answer, type Decision, decide, keyReused } from './decision.js';
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
  { memoryId, request }: ReasonedCommand,
  answerAt: (version: number) => A,
): Decision<A> | undefined {
  const answered = request && state.answered.get(request.key);
  if (!answered) return undefined;
  return answered.print === request.print ? answer(answerAt(answered.version)) : keyReused(memoryId);
}

/** The event, with its reason and in the session and step of the memory. */
export function because<A>(
  type: 'MemoryForgotten' | 'MemoryRestored',
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
