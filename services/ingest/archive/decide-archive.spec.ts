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
  revised,
  unarchived,
} from '../test-support/given.js';
import { type ArchiveCommand, decideArchive } from './decide-archive.js';

const archive =
  (more: Partial<ArchiveCommand> = {}) =>
  (memory: Remembered) =>
    decideArchive(memory, { memoryId, reason: 'old', ...more });
const asked = { key: 'k1', print: 'p1' };

describe('archiving', () => {
  it('lays a current memory aside, with the reason', () =>
    given(recorded('a'))
      .when(archive())
      .thenEvent('MemoryArchived', { content: { reason: 'old' } }));
  it('twice changes nothing, and works again after it was taken out', () => {
    given(recorded('a'), archived).when(archive()).thenAnswer('unchanged');
    given(recorded('a'), archived, unarchived).when(archive()).thenEvent('MemoryArchived');
  });
  it('works again after a new version, which took the memory out', () =>
    given(recorded('a'), archived, revised(2, 'b')).when(archive()).thenEvent('MemoryArchived'));
  it('takes nothing that is retracted, held back, erased or not there', () => {
    given(recorded('a'), forgotten).when(archive()).thenRefused('not_current');
    given(recorded('a'), quarantined).when(archive()).thenRefused('memory_quarantined');
    given(recorded('a'), erased).when(archive()).thenRefused('memory_erased');
    given().when(archive()).thenRefused('memory_not_found');
  });
  it('leaves alone what moved since it was shown', () =>
    given(recorded('a'), revised(2, 'b'))
      .when(archive({ ifVersion: 1 }))
      .thenAnswer('moved'));
  it('answers a repeated request as the first time', () =>
    given(recorded('a'), { event: archived, request: asked }, unarchived)
      .when(archive({ request: asked }))
      .thenAnswer('forgotten'));
});
