import { describe, expect, it } from 'vitest';
import { erased, forgotten, given, memoryId, quarantined, recorded, revised } from '../test-support/given.js';
import { decideWrite } from '../write/decide-write.js';
import type { WriteCommand } from '../write/write-command.js';
import { remember, rememberBlank, unremembered } from './remembered.js';

const write =
  (content: string, more: Partial<WriteCommand> = {}) =>
  (memory: Parameters<typeof decideWrite>[0], now: number) =>
    decideWrite(
      memory,
      { memoryId, isNew: false, revises: false, content: JSON.stringify(content), expiryStays: false, ...more },
      now,
    );

describe('a memory that was erased', () => {
  it('counts on, and takes the key that the next write gives', () =>
    given(recorded('a', {}, { key: 'slot' }), revised(2, 'b', {}, { key: 'slot' }), erased)
      .when(write('c', { key: 'slot' }))
      .thenEvent('MemoryRevised', { data: { version: 3 }, content: { key: 'slot' } }));

  it('says nothing any more, so that writing the same is a version', () =>
    given(recorded('a'), erased)
      .when(write('a'))
      .thenEvent('MemoryRevised', { data: { version: 2 } }));

  it('answers a repeated request as it did before', () =>
    given({ event: recorded('a'), request: { key: 'k', print: 'p' } }, erased)
      .when(write('a', { request: { key: 'k', print: 'p' } }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'stored' }));

  it.each([forgotten, quarantined])('is folded to the same from events whose content is gone', (turn) => {
    const first = recorded('a', {}, { key: 'slot', subjects: ['Ada'] });
    const history = [first, revised(2, 'b'), turn, revised(3, 'c'), erased];
    const envelope = (revision: number) => ({
      recordedAt: new Date(revision * 1000).toISOString(),
      revision,
      request: { key: `k${revision}`, print: 'p' },
      box: { k: 'secret.1' },
    });
    const fold = (blank: boolean) =>
      history.reduce((memory, event, revision) => {
        const isBlank = blank && event.type !== 'MemoryErased';
        return (isBlank ? rememberBlank : remember)(memory, event, envelope(revision), `h${revision}`, `p${revision}`);
      }, unremembered(memoryId));
    const [opened, blank] = [fold(false), fold(true)];
    const { answered: _opened, ...state } = opened.state;
    const { answered, ...blankState } = blank.state;
    expect(blankState).toEqual(state);
    expect({ ...blank, state: null }).toEqual({ ...opened, state: null });
    for (let at = 0; at < 4; at++) expect(answered.get(`k${at}`)).toEqual(opened.state.answered.get(`k${at}`));
    expect(blank.secretId).toBeUndefined();
  });
});
