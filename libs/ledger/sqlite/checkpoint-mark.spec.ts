import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkpointMark } from './checkpoint-mark.js';
import { toPosition } from './columns.js';

test.prop([
  fc.constantFrom({ every: 512, min: 1, max: 15 }, { every: 4096, min: 16, max: 700 }).chain(({ every, min, max }) =>
    fc.record({
      every: fc.constant(every),
      groups: fc.array(fc.tuple(fc.nat(3), fc.integer({ min, max })), { minLength: 1, maxLength: 200 }),
    }),
  ),
])(
  'lets exactly one of several processes make the checkpoint for each mark that is passed, rarer where events share their pages',
  ({ every, groups }) => {
    const processes = Array.from({ length: 4 }, () => checkpointMark());
    let head = 0;
    let made = 0;
    let marks = 0;
    for (const [process, events] of groups) {
      if (Math.floor((head + events) / every) !== Math.floor(head / every)) marks += 1;
      head += events;
      if (processes[process]!({ last: toPosition(head), events, bytes: events })) made += 1;
    }
    expect(made).toBe(marks);
  },
);

it('makes one after 4 MiB of large events too, and none for what was only repeated', () => {
  const isDue = checkpointMark();
  expect(isDue({ last: toPosition(1), events: 1, bytes: 3_000_000 })).toBe(false);
  expect(isDue({ last: toPosition(2), events: 1, bytes: 3_000_000 })).toBe(true);
  expect(isDue({ last: toPosition(3), events: 1, bytes: 3_000_000 })).toBe(false);
  expect(isDue({ last: undefined, events: 0, bytes: 0 })).toBe(false);
});
