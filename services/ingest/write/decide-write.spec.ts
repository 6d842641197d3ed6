import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { remember, unremembered } from '../commit/remembered.js';
import { decideForget } from '../forget/decide-forget.js';
import { decideRestore } from '../restore/decide-restore.js';
import {
  after,
  erased,
  forgotten,
  given,
  memoryId,
  noon,
  quarantined,
  recorded,
  released,
  restored,
  revised,
} from '../test-support/given.js';
import { decideWrite } from './decide-write.js';
import type { WriteCommand } from './write-command.js';

function commandOf(content: string, more: Partial<WriteCommand> = {}): WriteCommand {
  return {
    memoryId,
    isNew: false,
    revises: false,
    content: JSON.stringify(content),
    origin: 'agent',
    expiryStays: false,
    ...more,
  };
}

function write(content: string, more: Partial<WriteCommand> = {}) {
  const command = commandOf(content, more);
  return (memory: Parameters<typeof decideWrite>[0], now: number) => decideWrite(memory, command, now);
}

const asked = { key: 'k1', print: 'p1' };
const hours = (count: number) => new Date(noon + count * 3_600_000).toISOString();

describe('a write', () => {
  it('records a memory’s first version', () =>
    given()
      .when(write('MySQL 8.0'))
      .thenEvent('MemoryRecorded', { data: { version: 1, kind: 'semantic' }, content: { content: '"MySQL 8.0"' } }));

  it('revises a memory that is there', () =>
    given(recorded('MySQL 8.0'))
      .when(write('PostgreSQL 16'))
      .thenEvent('MemoryRevised', { data: { version: 2 } }));

  it('of the same content changes nothing', () =>
    given(recorded('MySQL')).when(write('MySQL')).thenAnswer({ memory_id: memoryId, version: 1, status: 'unchanged' }));

  it('of what an earlier version said is a new version', () =>
    given(recorded('MySQL'), revised(2, 'PostgreSQL'))
      .when(write('MySQL'))
      .thenEvent('MemoryRevised', { data: { version: 3 } }));

  it('of the same content with another valid time is a new version', () =>
    given(recorded('MySQL'))
      .when(write('MySQL', { validFrom: hours(-9) }))
      .thenEvent('MemoryRevised'));

  it('of the same content from someone else is a new version', () =>
    given(recorded('MySQL'))
      .when(write('MySQL', { origin: 'user' }))
      .thenEvent('MemoryRevised'));

  it('of the same content without the times, tags and weights that it was given changes nothing', () =>
    given(
      recorded(
        'MySQL',
        { validFrom: hours(-9), validTo: hours(9), expiresAt: hours(9), importance: 0.9, kind: 'episodic' },
        { tags: ['db'], metadata: '{"a":1}', subjects: ['Ada'] },
      ),
    )
      .when(write('MySQL', { origin: undefined }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'unchanged' }));

  it.each([
    { tags: ['other'] },
    { tags: [] },
    { metadata: '{}' },
    { importance: 0.4 },
    { kind: 'episodic' as const },
    { subjects: ['Bob'] },
    { subjectsOfSources: ['Bob'] },
    { validTo: hours(20) },
  ])('of the same content with %j is a new version', (more) =>
    given(recorded('MySQL', { importance: 0.9 }, { tags: ['db'], metadata: '{"a":1}', subjects: ['Ada'] }))
      .when(write('MySQL', more))
      .thenEvent('MemoryRevised'),
  );

  it('of the same content about a time in which it does not hold is a new version', () => {
    given(recorded('on call', { validFrom: hours(-9), validTo: hours(-1) }))
      .when(write('on call'))
      .thenEvent('MemoryRevised');
    given(recorded('on call', { validFrom: hours(40) }))
      .when(write('on call'))
      .thenEvent('MemoryRevised');
    given(recorded('on call', { validFrom: hours(-9), validTo: hours(-1) }))
      .when(write('on call', { validFrom: hours(-9) }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'unchanged' });
  });

  it('adds those whom its sources are about to those whom the memory is about', () =>
    given(recorded('a', {}, { subjects: ['Ada'] }))
      .when(write('b', { subjectsOfSources: ['Bob'] }))
      .thenEvent('MemoryRevised', { content: { subjects: ['Ada', 'Bob'] } }));

  it('of the same content after a retraction is a new version', () =>
    given(recorded('MySQL'), forgotten)
      .when(write('MySQL'))
      .thenEvent('MemoryRevised', { data: { version: 2 } }));

  it('of the same content after its restoration changes nothing', () =>
    given(recorded('MySQL'), forgotten, restored)
      .when(write('MySQL'))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'unchanged' }));

  it('of the same content after it expired is a new version', () =>
    given(recorded('on call', { expiresAt: hours(1) }))
      .when(write('on call', { expiresAt: hours(1) }))
      .thenEvent('MemoryRevised'));

  it('with a time to live renews a slot', () =>
    given(recorded('on call', { expiresAt: hours(5) }))
      .when(write('on call', { expiresAt: hours(6) }))
      .thenEvent('MemoryRevised', { data: { expiresAt: hours(6) } }));

  it('with a time to live does not renew a step that is told again', () =>
    given(recorded('ran tests', { expiresAt: hours(5) }))
      .when(write('ran tests', { expiresAt: hours(6), expiryStays: true }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'unchanged' }));

  it.each(['MySQL', 'PostgreSQL'])(
    'of %s to what is held back for review is a version that is held back, too',
    (content) => {
      const decision = decideWrite(after(recorded('MySQL'), quarantined), commandOf(content), noon);
      expect(decision).toMatchObject({ is: 'event', event: { type: 'MemoryRevised', data: { version: 2 } } });
      expect(decision).toHaveProperty('answer', { memory_id: memoryId, version: 2, status: 'quarantined' });
    },
  );

  it('to what is held back is answered the same when it is repeated, whatever became of the memory', () => {
    const history = [recorded('MySQL'), quarantined, { event: revised(2, 'PostgreSQL'), request: asked }];
    for (const later of [[], [released], [forgotten]])
      given(...history, ...later)
        .when(write('PostgreSQL', { request: asked }))
        .thenAnswer({ memory_id: memoryId, version: 2, status: 'quarantined' });
  });

  it('to what a reviewer has rejected begins anew', () =>
    given(recorded('MySQL'), quarantined, forgotten).when(write('MySQL')).thenEvent('MemoryRevised'));

  it('by id needs the memory to be there', () =>
    given()
      .when(write('x', { revises: true }))
      .thenRefused('memory_not_found'));

  it('keeps key, kind and people of the memory unless it says otherwise', () =>
    given(recorded('Ada lives in Paris', { kind: 'episodic' }, { key: 'ada.home', subjects: ['Ada'] }))
      .when(write('She lives in London', { revises: true }))
      .thenEvent('MemoryRevised', { data: { kind: 'episodic' }, content: { key: 'ada.home', subjects: ['Ada'] } }));
});

describe('if_version', () => {
  it('0 lets a first version pass, and nothing later', () => {
    given()
      .when(write('x', { ifVersion: 0 }))
      .thenEvent('MemoryRecorded');
    given(recorded('a'))
      .when(write('x', { ifVersion: 0 }))
      .thenAnswer(
        expect.objectContaining({
          status: 'conflict',
          version: 1,
          error: expect.objectContaining({ code: 'version_conflict', details: { expected: 0, actual: 1 } }),
        }),
      );
  });

  it('names both versions when the memory has moved', () =>
    given(recorded('a'), revised(2, 'b'))
      .when(write('c', { ifVersion: 1 }))
      .thenAnswer(
        expect.objectContaining({
          status: 'conflict',
          error: expect.objectContaining({ message: 'if_version is 1, but the memory is at version 2.' }),
        }),
      ));

  it('counts versions, not events', () =>
    given(recorded('a'), forgotten, restored)
      .when(write('b', { ifVersion: 1 }))
      .thenEvent('MemoryRevised'));
});

describe('a repeated request', () => {
  const history = [{ event: recorded('a'), request: asked }, revised(2, 'b')];

  it('is answered as the first time, whatever was written since', () =>
    given(...history)
      .when(write('a', { request: asked, ifVersion: 0 }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'stored' }));

  it('is answered as the first time after a retraction', () =>
    given(...history, forgotten)
      .when(write('a', { request: asked }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'stored' }));

  it('with other contents is refused', () =>
    given(...history)
      .when(write('z', { request: { key: 'k1', print: 'p2' } }))
      .thenRefused('idempotency_key_reused'));

  it('of an import changes nothing, even if the memory was revised or retracted since', () =>
    given(...history, forgotten)
      .when(write('a', { request: asked, from: { source: 's', id: '1' } }))
      .thenAnswer({ memory_id: memoryId, version: 1, status: 'unchanged' }));

  it('of an import whose record changed at the source is a write', () =>
    given(...history)
      .when(write('z', { request: { key: 'k1', print: 'p2' }, from: { source: 's', id: '1' } }))
      .thenEvent('MemoryRevised', { data: { version: 3 } }));
});

describe('a record that was imported and erased since', () => {
  const record = { request: asked, from: { source: 's', id: '1' } };
  const meant = { ...record, from: { ...record.from, allowErased: true } };
  const history = [{ event: recorded('a'), request: asked }, erased];

  it('is refused, and written anew where it is meant to come back', () => {
    given(...history)
      .when(write('a', record))
      .thenRefused('value_erased');
    given(...history)
      .when(write('a', meant))
      .thenEvent('MemoryRevised', { data: { version: 2 }, content: { externalId: '1' } });
  });

  it('is there already once it came back, until it is erased again', () => {
    const back = [...history, { event: revised(2, 'a'), request: asked }];
    for (const command of [record, meant])
      given(...back)
        .when(write('a', command))
        .thenAnswer({ memory_id: memoryId, version: 2, status: 'unchanged' });
    given(...back, erased)
      .when(write('a', meant))
      .thenEvent('MemoryRevised', { data: { version: 3 } });
  });

  it('comes back although another record of its memory did before', () =>
    given(
      { event: recorded('a'), request: asked },
      { event: revised(2, 'b'), request: { key: 'k2', print: 'p2' } },
      erased,
      { event: revised(3, 'a'), request: asked },
    )
      .when(write('b', { ...meant, request: { key: 'k2', print: 'p2' } }))
      .thenEvent('MemoryRevised', { data: { version: 4 } }));

  it('and has changed at its source is a write like any other', () =>
    given(...history)
      .when(write('z', { ...record, request: { key: 'k1', print: 'p2' } }))
      .thenEvent('MemoryRevised', { data: { version: 2 } }));
});

const command = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    content: fc.constantFrom('a', 'b', 'c'),
    ifVersion: fc.option(fc.nat(4), { nil: undefined }),
    request: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
    validFrom: fc.option(fc.integer({ min: -9, max: 9 }).map(hours), { nil: undefined }),
  }),
  fc.record({ do: fc.constantFrom('forget' as const, 'restore' as const) }),
);

const field = fc.record(
  {
    tags: fc.subarray(['a', 'b']),
    metadata: fc.constantFrom('{}', '{"n":1}'),
    importance: fc.constantFrom(0.2, 0.9),
    kind: fc.constantFrom('semantic' as const, 'episodic' as const),
    subjects: fc.subarray(['Ada', 'Bob']),
    validFrom: fc.constantFrom(-3, 0, 3).map(hours),
    validTo: fc.constantFrom(5, 9).map(hours),
    occurredAt: fc.constantFrom(-2, 2).map(hours),
  },
  { requiredKeys: [] },
);

property.prop([field, field, fc.constantFrom('forgotten', 'expired', 'held'), fc.integer({ min: 1, max: 12 })])(
  'the same write at once again changes nothing; what is unchanged is current, holds then, and says all that is given',
  (first, second, fate, later) => {
    const begin = decideWrite(unremembered(memoryId), commandOf('a', first), noon);
    if (begin.is !== 'event') throw new Error('the first write was not stored');
    const times = { recordedAt: new Date(noon).toISOString(), revision: 0 };
    const memory = remember(unremembered(memoryId), begin.event, times, 'h0');
    expect(decideWrite(memory, commandOf('a', first), noon)).toMatchObject({ answer: { status: 'unchanged' } });

    const stands =
      fate === 'forgotten'
        ? remember(memory, forgotten, { ...times, revision: 1 }, 'h1')
        : fate === 'expired'
          ? { ...memory, state: { ...memory.state, latest: { ...memory.state.latest!, expiresAt: noon + 1 } } }
          : memory;
    const now = noon + later * 3_600_000;
    const decision = decideWrite(stands, commandOf('a', second), now);
    const from = Date.parse(second.validFrom ?? second.occurredAt ?? new Date(now).toISOString());
    const holds = memory.state.spans.some((span) => span.from <= from && from < span.to);
    const says = Object.entries(second).every(([name, value]) => {
      const known = name === 'validFrom' ? (first.validFrom ?? first.occurredAt ?? hours(0)) : first[name as 'tags'];
      const empty = name === 'metadata' ? '{}' : name === 'kind' ? 'semantic' : [];
      return JSON.stringify(value) === JSON.stringify(known ?? (name === 'importance' ? undefined : empty));
    });
    expect(decision.is).toBe(fate === 'held' && holds && says ? 'answer' : 'event');
  },
);

property.prop([fc.array(command, { maxLength: 30 })])(
  'any history: versions count up by one, a version that was not asked for never passes, what is unchanged was said last',
  (commands) => {
    let memory = unremembered(memoryId);
    let versions = 0;
    let said: string | undefined;
    for (const [index, each] of commands.entries()) {
      const now = noon + index * 1000;
      const before = memory.state;
      const decision =
        each.do === 'write'
          ? write(each.content, {
              ifVersion: each.ifVersion,
              validFrom: each.validFrom,
              request: each.request ? { key: each.request, print: JSON.stringify(each) } : undefined,
            })(memory, now)
          : each.do === 'forget'
            ? decideForget(memory, { memoryId, reason: 'r' })
            : decideRestore(memory, { memoryId, reason: 'r', byReviewer: false }, now);
      if (decision.is === 'event') {
        const envelope = { ...decision.origin, recordedAt: new Date(now).toISOString(), revision: before.revision + 1 };
        memory = remember(memory, decision.event, envelope, `h${index}`);
        if (each.do === 'write') {
          versions += 1;
          said = each.content;
          if (each.ifVersion !== undefined) expect(each.ifVersion).toBe(before.version);
          expect(memory.state.status).toBe('current');
        }
      } else if (
        each.do === 'write' &&
        decision.is === 'answer' &&
        (decision.answer as { status: string }).status === 'unchanged'
      ) {
        expect(before.status).toBe('current');
        expect(each.content).toBe(said);
      }
      expect(memory.state.version).toBe(versions);
      expect(memory.state.revision).toBeGreaterThanOrEqual(before.revision);
    }
  },
);
