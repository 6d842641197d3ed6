import type { RatingOutcome } from '#events/memory-rated.js';
import { feedbackWeight, type Rating } from '#memory/feedback-weight.js';
import { answer, type Decision, decide, memoryNotFound, refuse } from '../commit/decision.js';
import { memoryErased, repeated } from '../commit/reasoned-command.js';
import { notePrint, type Remembered, ratingKey } from '../commit/remembered.js';
import type { KnownRequest } from '../commit/request.js';

export interface FeedbackCommand {
  readonly memoryId: string;
  /** Who rates: one has one rating per answer, or per day. */
  readonly principal: string;
  readonly outcome: RatingOutcome;
  /** Whether it is on record is not asked: a crash may have lost it. */
  readonly recallId?: string | undefined;
  /** The latest by default. */
  readonly version?: number | undefined;
  readonly note?: string | undefined;
  readonly request?: KnownRequest | undefined;
}

export interface Rated {
  readonly status: 'rated' | 'unchanged';
  readonly version: number;
  readonly weight: number;
}

/**
 * Whatever is there can be rated, also what is not served any more: it was. The same said again about one answer (without one: on one
 * day, UTC) changes nothing; another outcome takes the place of the former.
 * @param now milliseconds since the epoch
 */
export function decideFeedback(memory: Remembered, command: FeedbackCommand, now: number): Decision<Rated> {
  const { memoryId, principal, outcome, recallId, note, request } = command;
  const { state, ratings } = memory;
  const before = repeated<Rated>(memory, command, (version) => rated('rated', version, ratings.values()));
  if (before) return before;
  if (state.status === 'absent') return memoryNotFound(memoryId);
  if (state.status === 'erased') return memoryErased(memoryId);
  const about = { principal, recallId, at: new Date(now).toISOString() };
  const former = ratings.get(ratingKey(about));
  // A recall showed one version: whoever rates it again means that one, whatever was written since.
  const version = command.version ?? (recallId === undefined ? undefined : former?.version) ?? state.version;
  if (version > state.version)
    return refuse(
      'invalid_input',
      `version is ${version}; the latest version of memory ${memoryId} is ${state.version}.`,
      { parameter: 'version', memory_id: memoryId },
    );
  const isSaid = note === undefined || notePrint(note) === former?.note;
  if (former?.outcome === outcome && former.version === version && isSaid)
    return answer(rated('unchanged', version, ratings.values()));
  const rating: Rating = { ...about, outcome, version, order: state.revision + 1 };
  return decide(
    {
      type: 'MemoryRated',
      data: { memoryId, version, outcome, recallId },
      content: { note, idempotencyKey: request?.idempotencyKey },
    },
    { id: request?.eventId, request: request && { key: request.key, print: request.print }, subjects: memory.subjects },
    rated('rated', version, [...ratings.values(), rating]),
  );
}

function rated(status: Rated['status'], version: number, ratings: readonly Rating[]): Rated {
  return { status, version, weight: feedbackWeight(ratings, version) ?? 0 };
}
