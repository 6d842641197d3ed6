import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Lane, type QueuedText, textQueue, whoTakes } from './text-queue.js';

const queued = (text: string): QueuedText => ({
  text,
  role: 'passage',
  resolve: () => undefined,
  reject: () => undefined,
});
const withInHand = (...lanes: Lane[]) => ({ inHand: new Set(lanes) });

it('gives what is asked before the background, each in the order it came', () => {
  const queue = textQueue();
  queue.add(queued('b1'), 'background');
  queue.add(queued('a1'), 'asked');
  queue.add(queued('b2'), 'background');
  queue.add(queued('a2'), 'asked');
  const taken: string[] = [];
  for (let lane = queue.lane(); lane; lane = queue.lane()) taken.push(queue.take(lane)!.text);
  expect(taken).toEqual(['a1', 'a2', 'b1', 'b2']);
});

it('knows nothing any more of what was taken back', () => {
  const queue = textQueue();
  const [one, two, three] = ['one', 'two', 'three'].map(queued);
  queue.add(one!, 'asked');
  queue.add(two!, 'background');
  queue.add(three!, 'background');
  queue.remove(new Set([one!, two!]));
  expect(queue.lane()).toBe('background');
  expect(queue.clear()).toEqual([three]);
  expect(queue.lane()).toBeUndefined();
});

it('gives a text to whoever has nothing in hand, and a question otherwise to one that it may overtake', () => {
  const free = withInHand();
  const embedding = withInHand('background');
  const asked = withInHand('asked');
  const overtaken = withInHand('asked', 'background');
  expect(whoTakes([embedding, free], 'asked')).toBe(free);
  expect(whoTakes([embedding, free], 'background')).toBe(free);
  expect(whoTakes([asked, overtaken, embedding], 'asked')).toBe(embedding);
  expect(whoTakes([asked, overtaken, embedding], 'background')).toBeUndefined();
  expect(whoTakes([asked, overtaken], 'asked')).toBeUndefined();
});

it('has every text computed once, never two of a lane by one, and begins none of the background while a question waits', () => {
  const step = fc.oneof(
    fc.record({ comes: fc.constantFrom<Lane>('asked', 'background') }),
    fc.record({ ends: fc.nat({ max: 5 }) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
      const queue = textQueue();
      const all = Array.from({ length: count }, () => withInHand());
      const running: { by: (typeof all)[number]; lane: Lane }[] = [];
      let came = 0;
      let begun = 0;
      const handOut = (): void => {
        for (let lane = queue.lane(); lane; lane = queue.lane()) {
          const by = whoTakes(all, lane);
          if (!by) return;
          expect(by.inHand.has(lane)).toBe(false);
          if (lane === 'background') expect(queue.lane()).not.toBe('asked');
          queue.take(lane);
          by.inHand.add(lane);
          running.push({ by, lane });
          begun++;
        }
      };
      const end = (at: number): void => {
        const [ended] = running.splice(at % running.length, 1);
        ended!.by.inHand.delete(ended!.lane);
        handOut();
      };
      for (const each of steps) {
        if ('comes' in each) queue.add(queued(`${came++}`), each.comes);
        else if (running.length > 0) end(each.ends);
        handOut();
      }
      while (running.length > 0) end(0);
      expect(begun).toBe(came);
    }),
  );
});
