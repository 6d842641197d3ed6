import { describe, it } from 'vitest';
import type { ReasonedCommand } from '../commit/reasoned-command.js';
import type { Remembered } from '../commit/remembered.js';
import { forgotten, given, memoryId, recorded, restored, revised } from '../test-support/given.js';
import { decideRestore } from './decide-restore.js';

const restore =
  (more: Partial<ReasonedCommand> = {}) =>
  (memory: Remembered) =>
    decideRestore(memory, { memoryId, reason: 'oops', ...more });
const asked = { key: 'k1', print: 'p1' };

describe('restoring', () => {
  it('brings back a retracted memory, with the reason', () =>
    given(recorded('a'), revised(2, 'b'), forgotten)
      .when(restore())
      .thenEvent('MemoryRestored', { content: { reason: 'oops' } }));
  it('twice changes nothing', () =>
    given(recorded('a'), forgotten, restored).when(restore()).thenAnswer({ status: 'unchanged', version: 1 }));
  it('needs something forgotten', () => given(recorded('a')).when(restore()).thenRefused('not_forgotten'));
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
