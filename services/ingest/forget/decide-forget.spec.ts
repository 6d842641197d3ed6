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
  restored,
  revised,
} from '../test-support/given.js';
import { decideForget, type ForgetCommand } from './decide-forget.js';

const forget =
  (more: Partial<ForgetCommand> = {}) =>
  (memory: Remembered) =>
    decideForget(memory, { memoryId, reason: 'typo', ...more });
const asked = { key: 'k1', print: 'p1' };

describe('forgetting', () => {
  it('retracts a current memory, with the reason', () =>
    given(recorded('MySQL 8.0'))
      .when(forget())
      .thenEvent('MemoryForgotten', { content: { reason: 'typo' } }));
  it('twice changes nothing', () => given(recorded('a'), forgotten).when(forget()).thenAnswer('unchanged'));
  it('works again after a restoration or a new version', () => {
    given(recorded('a'), forgotten, restored).when(forget()).thenEvent('MemoryForgotten');
    given(recorded('a'), forgotten, revised(2, 'b')).when(forget()).thenEvent('MemoryForgotten');
  });
  it('retracts what was laid aside, but not what is held back or erased', () => {
    given(recorded('a'), archived).when(forget()).thenEvent('MemoryForgotten');
    given(recorded('a'), quarantined).when(forget()).thenRefused('memory_quarantined');
    given(recorded('a'), erased).when(forget()).thenRefused('memory_erased');
  });
  it('needs the memory to be there', () => given().when(forget()).thenRefused('memory_not_found'));
  it('leaves alone what moved since it was shown', () =>
    given(recorded('a'), revised(2, 'b'))
      .when(forget({ ifVersion: 1 }))
      .thenAnswer('moved'));
  it('answers a repeated request as the first time, even after a restoration', () =>
    given(recorded('a'), { event: forgotten, request: asked }, restored)
      .when(forget({ request: asked }))
      .thenAnswer('forgotten'));
  it('refuses a request key that came with another request', () =>
    given({ event: recorded('a'), request: asked })
      .when(forget({ request: { key: 'k1', print: 'p2' } }))
      .thenRefused('idempotency_key_reused'));
});
