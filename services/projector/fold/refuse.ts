import { HindsightError, isHindsightError } from '#contract/errors.js';
import { UnknownEventError } from '#events/upcast.js';
import { HashMismatchError } from './prepare-event.js';
import type { ProjectorDeps, SeenEvent } from './project-batch.js';

/** Decides what an event that cannot be projected means: returns when it is to be set aside. */
export async function refuse(deps: ProjectorDeps, event: SeenEvent, error: unknown, strict: boolean): Promise<void> {
  if (error instanceof UnknownEventError)
    throw new HindsightError(
      'unknown_event',
      `Projecting stops at position ${event.position}: ${error.message}.`,
      { position: event.position, event: event.id, type: event.type },
      { cause: error },
    );
  if (!isPoison(error)) throw error;
  if (error instanceof HashMismatchError) deps.markDamaged?.({ what: error.message, position: event.position });
  if (strict)
    throw new HindsightError(
      'event_unreadable',
      `Event ${event.id} (${event.type}, position ${event.position}) cannot be projected: ${reasonOf(error)}.`,
      { position: event.position, event: event.id, type: event.type, stream: event.stream },
      { cause: error },
    );
  deps.log.warn(
    { event: event.id, type: event.type, stream: event.stream, position: event.position, reason: reasonOf(error) },
    'an event cannot be projected: it is set aside with everything later of its stream',
  );
}

/** What a connection says (ECONNREFUSED), and what a database does (57P01). */
const engineTrouble = /^(E[A-Z]+|[0-9A-Z]{5})$/;

/** Errors of this event alone; what is wrong with a disk, a lock or a key store would fail for every event. */
export function isPoison(error: unknown): boolean {
  if (error instanceof UnknownEventError) return false;
  if (isHindsightError(error))
    return error.code === 'key_not_found' || (error.code === 'ledger_corrupt' && 'eventId' in error.details);
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  return typeof errcode !== 'number' && !(typeof code === 'string' && engineTrouble.test(code));
}

/** The first line and at most 200 characters: a schema error may show the value that it found, and that may be content. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'ZodError') return 'it has not the form of its type';
  if (error instanceof SyntaxError) return 'its bytes are no JSON';
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0]!.slice(0, 200).replace(/\.$/, '');
}
