import { describe, expect, it } from 'vitest';
import type { Remembered } from '../commit/remembered.js';
import {
  after,
  archived,
  erased,
  forgotten,
  given,
  memoryId,
  noon,
  quarantined,
  recorded,
  restored,
  revised,
  unarchived,
} from '../test-support/given.js';
import { decideRestore, type RestoreCommand } from './decide-restore.js';

const restore =
  (more: Partial<RestoreCommand> = {}) =>
  (memory: Remembered, now: number) =>
    decideRestore(memory, { memoryId, reason: 'oops', byReviewer: false, ...more }, now);
const asked = { key: 'k1', print: 'p1' };

describe('restoring', () => {
  it('brings back a retracted memory, with the reason', () =>
    given(recorded('a'), revised(2, 'b'), forgotten)
      .when(restore())
      .thenEvent('MemoryRestored', { content: { reason: 'oops' } }));
  it('twice changes nothing', () =>
    given(recorded('a'), forgotten, restored).when(restore()).thenAnswer({ status: 'unchanged', version: 1 }));
  it('needs something forgotten', () => given(recorded('a')).when(restore()).thenRefused('not_forgotten'));
  it('says of what has expired that it has, since it is not served either', () => {
    const history = [recorded('a', { expiresAt: new Date(noon + 1).toISOString() })];
    given(...history)
      .when(restore())
      .thenRefused('not_forgotten');
    expect(restore()(after(...history), noon + 1)).toMatchObject({
      error: { message: expect.stringContaining('it expired at 2026-03-01T12:00:00.001Z') },
    });
    expect(restore()(after(...history), noon)).toMatchObject({
      error: { message: expect.stringContaining('it is current, at version 1') },
    });
  });
  it('takes out again what was laid aside, and says so the second time', () => {
    given(recorded('a'), archived)
      .when(restore())
      .thenEvent('MemoryUnarchived', { content: { reason: 'oops' } });
    given(recorded('a'), archived, unarchived).when(restore()).thenAnswer({ status: 'unchanged', version: 1 });
  });
  it('leaves what is held back to a reviewer, and what a reviewer rejected to a reviewer', () => {
    given(recorded('a'), quarantined).when(restore()).thenRefused('memory_quarantined');
    given(recorded('a'), quarantined, forgotten).when(restore()).thenRefused('forbidden');
    given(recorded('a'), quarantined, forgotten)
      .when(restore({ byReviewer: true }))
      .thenEvent('MemoryRestored');
    given(recorded('a'), quarantined, forgotten, revised(2, 'b'), forgotten)
      .when(restore())
      .thenEvent('MemoryRestored');
  });
  it('brings nothing back that was erased', () =>
    given(recorded('a'), erased).when(restore()).thenRefused('memory_erased'));
  it('needs the memory to be there', () => given().when(restore()).thenRefused('memory_not_found'));
  it('answers a repeated request as the first time, even after the memory was forgotten again', () =>
    given(recorded('a'), forgotten, { event: restored, request: asked }, forgotten)
      .when(restore({ request: asked }))
      .thenAnswer({ status: 'restored', version: 1 }));
  it('refuses a request key that came with another request', () =>
    given({ event: recorded('a'), request: asked }, forgotten)
      .when(restore({ request: { key: 'k1', print: 'p2' } }))
      .thenRefused('idempotency_key_reused'));
});
