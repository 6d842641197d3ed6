import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { ratingOutcomes } from '#events/memory-rated.js';
import { type Remembered, remember } from '../commit/remembered.js';
import { decideReview } from '../review/decide-review.js';
import {
  after,
  archived,
  erased,
  forgotten,
  given,
  memoryId,
  noon,
  quarantined,
  rating,
  recorded,
  released,
  revised,
} from '../test-support/given.js';
import { decideFeedback, type FeedbackCommand } from './decide-feedback.js';

const rate =
  (outcome: FeedbackCommand['outcome'], more: Partial<FeedbackCommand> = {}) =>
  (memory: Remembered, now: number) =>
    decideFeedback(memory, { memoryId, principal: 'ann', outcome, ...more }, now);
const asked = { key: 'k1', print: 'p1' };

describe('rating a memory', () => {
  it('puts on record how its latest version fared, with the note', () =>
    given(recorded('a'), revised(2, 'b'))
      .when(rate('useful', { recallId: 'r1', note: 'it named the server' }))
      .thenEvent('MemoryRated', {
        data: { memoryId, version: 2, outcome: 'useful', recallId: 'r1' },
        content: { note: 'it named the server' },
      }));
  it('is about the version that was served, where one is named', () => {
    given(recorded('a'), revised(2, 'b'))
      .when(rate('wrong', { version: 1 }))
      .thenEvent('MemoryRated', { data: { version: 1 } });
    given(recorded('a'))
      .when(rate('wrong', { version: 2 }))
      .thenRefused('invalid_input');
  });
  it('takes whatever is there, served or not', () => {
    for (const aside of [forgotten, archived, quarantined])
      given(recorded('a'), aside).when(rate('wrong')).thenEvent('MemoryRated');
  });
  it('refuses what is not there or was erased', () => {
    given().when(rate('wrong')).thenRefused('memory_not_found');
    given(recorded('a'), rating('useful'), erased).when(rate('wrong')).thenRefused('memory_erased');
  });

  it('changes nothing when the same is said again about one answer', () => {
    const weight = 0.6 / 2.6 / (0.6 / 2.6 + 2);
    given(recorded('a'), rating('useful', { recallId: 'r1' }))
      .when(rate('useful', { recallId: 'r1' }))
      .thenAnswer({ status: 'unchanged', version: 1, weight });
    given(recorded('a'), rating('useful', { recallId: 'r1' }))
      .when(rate('useful', { recallId: 'r2' }))
      .thenEvent('MemoryRated');
    given(recorded('a'), rating('useful', { recallId: 'r1', principal: 'ben' }))
      .when(rate('useful', { recallId: 'r1' }))
      .thenEvent('MemoryRated');
  });
  it('changes nothing when the same is said again on one day, and counts on the next', () => {
    given(recorded('a'), rating('useful'))
      .when(rate('useful'))
      .thenAnswer(expect.objectContaining({ status: 'unchanged' }));
    given(recorded('a'), rating('useful'))
      .when((memory) => rate('useful')(memory, noon + 24 * 3_600_000))
      .thenEvent('MemoryRated');
  });
  it('takes another outcome in the place of the former, and another note', () => {
    given(recorded('a'), rating('useful', { recallId: 'r1' }))
      .when(rate('wrong', { recallId: 'r1' }))
      .thenEvent('MemoryRated', { data: { outcome: 'wrong' } });
    given(recorded('a'), rating('useful', { recallId: 'r1', note: 'one' }))
      .when(rate('useful', { recallId: 'r1', note: 'other' }))
      .thenEvent('MemoryRated');
    given(recorded('a'), rating('useful', { recallId: 'r1', note: 'one' }))
      .when(rate('useful', { recallId: 'r1', note: 'one' }))
      .thenAnswer(expect.objectContaining({ status: 'unchanged' }));
  });
  it('means the version that the answer showed, also when it is said again after a revision', () => {
    given(recorded('a'), rating('useful', { recallId: 'r1' }), revised(2, 'b'))
      .when(rate('useful', { recallId: 'r1' }))
      .thenAnswer(expect.objectContaining({ status: 'unchanged', version: 1 }));
    given(recorded('a'), rating('useful'), revised(2, 'b'))
      .when(rate('useful'))
      .thenEvent('MemoryRated', { data: { version: 2 } });
  });
  it('answers a repeated request as the first time, and no other one by its key', () => {
    const once = { ...(rating('useful') as object), request: asked } as ReturnType<typeof rating>;
    given(recorded('a'), once, revised(2, 'b'))
      .when(rate('useful', { request: asked }))
      .thenAnswer(expect.objectContaining({ status: 'rated', version: 1 }));
    given(recorded('a'), once)
      .when(rate('wrong', { request: { key: 'k1', print: 'p2' } }))
      .thenRefused('idempotency_key_reused');
  });
  it('leaves what a reviewer decided as it is', () => {
    const release = (memory: Remembered) => decideReview(memory, { memoryId, reason: 'r', verdict: 'release' });
    const reject = (memory: Remembered) => decideReview(memory, { memoryId, reason: 'r', verdict: 'reject' });
    given(recorded('a'), quarantined, released, rating('useful'))
      .when(release)
      .thenAnswer({ status: 'unchanged', version: 1 });
    given(recorded('a'), quarantined, forgotten, rating('wrong'))
      .when(reject)
      .thenAnswer({ status: 'unchanged', version: 1 });
  });
  it('forgets with an erasure who had rated', () => {
    expect(after(recorded('a'), rating('useful'), erased, revised(2, 'b')).ratings.values()).toEqual([]);
  });

  test.prop([
    fc.array(
      fc.record({
        outcome: fc.constantFrom(...ratingOutcomes),
        recallId: fc.option(fc.constantFrom('r1', 'r2'), { nil: undefined }),
        principal: fc.constantFrom('ann', 'ben'),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  ])('answers with the weight that all have then, and every command said twice is unchanged', (commands) => {
    let memory = after(recorded('a'));
    for (const [at, each] of commands.entries()) {
      const now = noon + at * 1000;
      const decision = decideFeedback(memory, { memoryId, ...each }, now);
      if (decision.is === 'event') {
        const recordedAt = new Date(now).toISOString();
        const revision = memory.state.revision + 1;
        memory = remember(memory, decision.event, { recordedAt, revision, principal: each.principal }, `h${at}`);
      }
      const again = decideFeedback(memory, { memoryId, ...each }, now);
      expect(again).toMatchObject({ is: 'answer', answer: { status: 'unchanged' } });
      expect(decision.is !== 'refusal' && decision.answer.weight).toBe(again.is === 'answer' && again.answer.weight);
    }
  });
});
