import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { FedBatch } from '../feed.js';
import { fedEvent, markAt, positionAt } from '../test-support/feed-events.js';
import { joinRun, type Waiting } from './join-run.js';

const at = (number: number) => (number === 0 ? undefined : positionAt(number));

function event(number: number, after: number, padding = 0): Waiting {
  const fed = fedEvent('l1', number, 'b1', padding);
  return { message: { kind: 'event', after: at(after), fed }, bytes: fed.event.bytes.length, next: '' };
}
const mark = (number: number, after: number): Waiting => ({
  message: { kind: 'watermark', after: at(after), mark: markAt(number) },
  bytes: 0,
  next: '',
});

/** What one relay after the other writes to a partition: some begin again before where the last one ended. */
const written = fc
  .array(
    fc.record({ back: fc.nat(6), flushes: fc.array(fc.array(fc.boolean(), { maxLength: 5 }), { maxLength: 5 }) }),
    { maxLength: 5 },
  )
  .map((relays) => {
    const messages: Waiting[] = [];
    // Whether the ledger's event of a number is one of this partition; decided when the first relay comes to it.
    const isOurs: boolean[] = [];
    const marks = [0];
    for (const { back, flushes } of relays) {
      let passed = marks[Math.max(0, marks.length - 1 - back)]!;
      for (const flush of flushes) {
        let before = passed;
        for (const ours of flush) {
          passed += 1;
          isOurs[passed] ??= ours;
          if (!isOurs[passed]) continue;
          messages.push(event(passed, before));
          before = passed;
        }
        if (passed > 0) messages.push(mark(passed, before));
        marks.push(passed);
      }
    }
    return {
      messages,
      events: isOurs.flatMap((ours, number) => (ours ? [positionAt(number)] : [])),
      end: Math.max(...marks),
    };
  });

describe('joinRun', () => {
  test.prop([written, fc.array(fc.nat(40)), fc.nat(10)])(
    'gives a consumer with a checkpoint each event once and in order, if it reads what is before a gap elsewhere',
    ({ messages, events, end }, lost, first) => {
      const left = messages.filter((_, index) => !lost.includes(index));
      const waiting: Waiting[] = [];
      const applied: string[] = [];
      let checkpoint = '';
      const apply = ({ after = '', events: fed, to }: FedBatch) => {
        const gap = after > checkpoint ? events.filter((position) => position > checkpoint && position <= after) : [];
        applied.push(...gap);
        if (after > checkpoint) checkpoint = after;
        for (const {
          event: { position },
        } of fed)
          if (position > checkpoint) applied.push(position);
        if (to > checkpoint) checkpoint = to;
      };
      for (const [index, message] of left.entries()) {
        waiting.push(message);
        if (index % (first + 1) !== 0) continue;
        const joined = joinRun(waiting, 0)!;
        waiting.splice(0, joined.messages);
        apply(joined.batch);
      }
      for (let joined = joinRun(waiting, 0); joined; joined = joinRun(waiting, 0)) {
        waiting.splice(0, joined.messages);
        apply(joined.batch);
      }
      const reached = events.filter((position) => position <= checkpoint);
      expect(applied).toEqual(reached);
      if (lost.length === 0 && end > 0) expect(checkpoint).toBe(positionAt(end));
    },
  );

  it('joins what follows on each other, and leaves out what came before', () => {
    const joined = joinRun([event(2, 1), event(4, 2), mark(5, 4), event(2, 1), mark(5, 4), event(6, 5)], 3)!;
    expect(joined.batch).toMatchObject({ partition: 3, after: positionAt(1), to: positionAt(6) });
    expect(joined.batch.events.map(({ event: { id } }) => id)).toEqual(['e2', 'e4', 'e6']);
    expect(joined.messages).toBe(6);
  });

  it('ends before a gap, and before it becomes too large', () => {
    expect(joinRun([event(1, 0), mark(2, 1), event(9, 7)], 0)).toMatchObject({
      messages: 2,
      batch: { to: positionAt(2) },
    });
    const many = Array.from({ length: 700 }, (_, index) => event(index + 1, index));
    expect(joinRun(many, 0)).toMatchObject({ messages: 500, batch: { to: positionAt(500) } });
    const large = [1, 2, 3].map((number) => event(number, number - 1, 700_000));
    expect(joinRun(large, 0)?.messages).toBe(1);
    expect(joinRun([], 0)).toBeUndefined();
  });
});
