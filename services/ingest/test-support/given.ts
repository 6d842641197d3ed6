import { expect } from 'vitest';
import type { MemoryEvent } from '#events/catalogue.js';
import type { RatingOutcome } from '#events/memory-rated.js';
import type { Decision } from '../commit/decision.js';
import { type Remembered, remember, unremembered } from '../commit/remembered.js';

export const memoryId = '01890000-0000-8000-8000-000000000001';

/** Noon of the first day; every event of a history comes an hour after the one before. */
export const noon = Date.parse('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;

export type Past =
  | MemoryEvent
  | {
      readonly event: MemoryEvent;
      readonly request?: { readonly key: string; readonly print: string };
      readonly principal?: string;
    };

/** The memory after a history. */
export function after(...history: readonly Past[]): Remembered {
  return history.reduce<Remembered>((memory, past, revision) => {
    const { event, request, principal } =
      'event' in past ? past : { event: past, request: undefined, principal: undefined };
    const recordedAt = new Date(noon + revision * hour).toISOString();
    return remember(memory, event, { recordedAt, revision, request, principal }, `hash-${revision}`, `p${revision}`);
  }, unremembered(memoryId));
}

/** `given(history).when(decision).thenEvent(…)`: what a rule makes of a memory with this history. */
export function given(...history: readonly Past[]) {
  const memory = after(...history);
  return {
    when<A>(rule: (memory: Remembered, now: number) => Decision<A>) {
      const decision = rule(memory, noon + history.length * hour);
      return {
        /** An event of this type, with at least these fields. */
        thenEvent: (type: MemoryEvent['type'], fields: { data?: object; content?: object } = {}) =>
          expect(decision).toMatchObject({ is: 'event', event: { type, ...fields } }),
        thenAnswer: (answer: unknown) => expect(decision).toEqual({ is: 'answer', answer }),
        thenRefused: (code: string) => expect(decision).toMatchObject({ is: 'refusal', error: { code } }),
      };
    },
  };
}

export function recorded(content: string, data: object = {}, more: object = {}): MemoryEvent {
  return {
    type: 'MemoryRecorded',
    data: { memoryId, version: 1, kind: 'semantic', origin: 'agent', ...data },
    content: { content: JSON.stringify(content), ...more },
  };
}

export function revised(version: number, content: string, data: object = {}, more: object = {}): MemoryEvent {
  return { ...recorded(content, { version, ...data }, more), type: 'MemoryRevised' } as MemoryEvent;
}

export const forgotten: MemoryEvent = { type: 'MemoryForgotten', data: { memoryId }, content: { reason: 'typo' } };
export const restored: MemoryEvent = { type: 'MemoryRestored', data: { memoryId }, content: { reason: 'oops' } };
export const archived: MemoryEvent = { type: 'MemoryArchived', data: { memoryId }, content: { reason: 'old' } };
export const unarchived: MemoryEvent = { type: 'MemoryUnarchived', data: { memoryId }, content: { reason: 'needed' } };
export const quarantined: MemoryEvent = { type: 'MemoryQuarantined', data: { memoryId }, content: { reason: 'odd' } };
export const released: MemoryEvent = { type: 'MemoryReleased', data: { memoryId }, content: { reason: 'fine' } };
export const erased: MemoryEvent = { type: 'MemoryErased', data: { memoryId, erasureId: 'e1' }, content: {} };

/** By the principal `ann` where nothing else is said. */
export function rating(
  outcome: RatingOutcome,
  more: { principal?: string; recallId?: string; version?: number; note?: string } = {},
): Past {
  const { principal = 'ann', recallId, version = 1, note } = more;
  return {
    event: { type: 'MemoryRated', data: { memoryId, version, outcome, recallId }, content: { note } },
    principal,
  };
}
