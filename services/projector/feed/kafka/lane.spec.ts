import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../feed.contract.js';
import type { FedBatch } from '../feed.js';
import { markAt, positionAt } from '../test-support/feed-events.js';
import type { Waiting } from './join-run.js';
import { createLane } from './lane.js';

const mark = (number: number): Waiting => ({
  message: { kind: 'watermark', after: number === 1 ? undefined : positionAt(number - 1), mark: markAt(number) },
  bytes: 0,
  next: String(number),
});

function laneUnderTest(apply: (batch: FedBatch) => Promise<void>) {
  const stopping = new AbortController();
  const fullness: boolean[] = [];
  const failures: number[] = [];
  const lane = createLane({
    partition: 0,
    apply,
    full: (isFull) => fullness.push(isFull),
    failed: (_error, tries) => failures.push(tries),
    signal: stopping.signal,
  });
  return { lane, fullness, failures, stopping };
}

describe('a lane', () => {
  it('applies one batch after the other, and joins what came meanwhile', async () => {
    let inside = 0;
    const applied: string[] = [];
    const { lane } = laneUnderTest(async ({ to }) => {
      inside += 1;
      expect(inside).toBe(1);
      await sleep(5);
      applied.push(to);
      inside -= 1;
    });
    for (let number = 1; number <= 20; number += 1) lane.push([mark(number)]);
    await lane.idle();
    expect(applied).toEqual([positionAt(1), positionAt(20)]);
    expect(lane.done).toBe('20');
  });

  it('begins again whenever something comes after it had ended', async () => {
    const applied: string[] = [];
    const { lane } = laneUnderTest(async ({ to }) => void applied.push(to));
    for (let number = 1; number <= 50; number += 1) {
      lane.push([mark(number)]);
      for (let turn = 0; turn < number % 5; turn += 1) await Promise.resolve();
    }
    await lane.idle();
    expect(applied.at(-1)).toBe(positionAt(50));
  });

  it('says when fetching has to pause, and when it goes on', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { lane, fullness } = laneUnderTest(() => gate);
    lane.push(Array.from({ length: 2_001 }, (_, index) => mark(index + 1)));
    expect(fullness).toEqual([true]);
    open();
    await lane.idle();
    expect(fullness).toEqual([true, false]);
  });

  it('gives a batch again after it was rejected, and nothing after it before', async () => {
    let refusals = 2;
    const applied: FedBatch[] = [];
    const { lane, failures } = laneUnderTest(async (batch) => {
      if (refusals > 0) {
        refusals -= 1;
        throw new Error('no');
      }
      applied.push(batch);
    });
    lane.push([mark(1)]);
    await until(() => failures.length === 2);
    expect(lane.done).toBeUndefined();
    await lane.idle();
    expect(applied.map(({ to }) => to)).toEqual([positionAt(1)]);
    expect(failures).toEqual([1, 2]);
  });

  it('does not count as done what was given up while it was applied', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { lane } = laneUnderTest(() => gate);
    lane.push([mark(5)]);
    lane.clear();
    lane.push([mark(3)]);
    open();
    await lane.idle();
    expect(lane.done).toBe('3');
  });
});
