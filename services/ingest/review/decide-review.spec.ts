import { describe, it } from 'vitest';
import type { Remembered } from '../commit/remembered.js';
import {
  archived,
  erased,
  forgotten,
  given,
  memoryId,
  quarantined,
  recorded,
  released,
  revised,
  unarchived,
} from '../test-support/given.js';
import { decideReview, type ReviewCommand, type Verdict } from './decide-review.js';

const verdict =
  (given: Verdict, more: Partial<ReviewCommand> = {}) =>
  (memory: Remembered) =>
    decideReview(memory, { memoryId, reason: 'looked at', verdict: given, ...more });
const asked = { key: 'k1', print: 'p1' };

describe('reviewing', () => {
  it('holds back what is served or laid aside, with the reason', () => {
    given(recorded('a'))
      .when(verdict('quarantine'))
      .thenEvent('MemoryQuarantined', { content: { reason: 'looked at' } });
    given(recorded('a'), archived).when(verdict('quarantine')).thenEvent('MemoryQuarantined');
    given(recorded('a'), forgotten).when(verdict('quarantine')).thenRefused('not_current');
  });
  it('releases what is held back, and nothing else', () => {
    given(recorded('a'), quarantined).when(verdict('release')).thenEvent('MemoryReleased');
    given(recorded('a')).when(verdict('release')).thenRefused('not_quarantined');
    given(recorded('a'), quarantined, released, revised(2, 'b'))
      .when(verdict('release'))
      .thenRefused('not_quarantined');
  });
  it('decides about what was written to it while it was held back, too', () => {
    given(recorded('a'), quarantined, revised(2, 'b')).when(verdict('release')).thenEvent('MemoryReleased');
    given(recorded('a'), quarantined, revised(2, 'b')).when(verdict('reject')).thenEvent('MemoryForgotten');
    given(recorded('a'), quarantined, revised(2, 'b'))
      .when(verdict('quarantine'))
      .thenAnswer({ status: 'unchanged', version: 2 });
  });
  it('lays aside again what was archived when it was held back, unless it was written to since', () => {
    given(recorded('a'), archived, quarantined)
      .when(verdict('release'))
      .thenEvent('MemoryArchived', { content: { reason: 'looked at' } });
    given(recorded('a'), archived, quarantined, archived)
      .when(verdict('release'))
      .thenAnswer({ status: 'unchanged', version: 1 });
    given(recorded('a'), archived, quarantined, archived, quarantined)
      .when(verdict('release'))
      .thenEvent('MemoryArchived');
    given(recorded('a'), archived, quarantined, revised(2, 'b')).when(verdict('release')).thenEvent('MemoryReleased');
    given(recorded('a'), archived, unarchived, quarantined).when(verdict('release')).thenEvent('MemoryReleased');
    given(recorded('a'), archived).when(verdict('release')).thenRefused('not_quarantined');
  });
  it('rejects what is held back: it is retracted', () => {
    given(recorded('a'), quarantined)
      .when(verdict('reject'))
      .thenEvent('MemoryForgotten', { content: { reason: 'looked at' } });
    given(recorded('a'), forgotten).when(verdict('reject')).thenRefused('not_quarantined');
  });
  it('changes nothing the second time', () => {
    given(recorded('a'), quarantined).when(verdict('quarantine')).thenAnswer({ status: 'unchanged', version: 1 });
    given(recorded('a'), quarantined, released)
      .when(verdict('release'))
      .thenAnswer({ status: 'unchanged', version: 1 });
    given(recorded('a'), quarantined, forgotten)
      .when(verdict('reject'))
      .thenAnswer({ status: 'unchanged', version: 1 });
  });
  it.each(['quarantine', 'release', 'reject'] as const)('%s needs a memory that is there', (each) => {
    given().when(verdict(each)).thenRefused('memory_not_found');
    given(recorded('a'), erased).when(verdict(each)).thenRefused('memory_erased');
  });
  it('answers a repeated request as the first time', () =>
    given(recorded('a'), quarantined, { event: released, request: asked }, quarantined)
      .when(verdict('release', { request: asked }))
      .thenAnswer({ status: 'released', version: 1 }));
});
