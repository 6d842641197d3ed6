import { describe, expect, it, vi } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { type BackgroundWork, runInBackground } from './background.js';
import { sliceLimit } from './slice-limit.js';

/** Work that ends its own loop as soon as `until` holds, so that no test waits for a number of milliseconds. */
function work(heads: readonly string[], given: Partial<BackgroundWork> = {}, looks = heads.length) {
  const ending = new AbortController();
  let looked = 0;
  const projected: string[] = [];
  const warned: string[] = [];
  const doing: BackgroundWork = {
    log: { info: () => undefined, warn: (_fields, sentence) => warned.push(sentence) },
    head: async () => {
      const head = heads[Math.min(looked, heads.length - 1)];
      if (++looked >= looks) ending.abort();
      return head;
    },
    hasPassed: async (target) => projected.at(-1) === target,
    isMine: async () => true,
    project: async (target) => {
      projected.push(target);
    },
    ...given,
  };
  return { doing, signal: ending.signal, projected, warned, looked: () => looked };
}

describe('projecting in the background', () => {
  it('begins when the head has stopped moving, and rests when it is there', async () => {
    const { doing, signal, projected } = work(['1', '2', '2', '2', '2']);
    await runInBackground(signal, doing);
    expect(projected).toEqual(['2']);
  });

  it('leaves it to another process for as long as that one is at it', async () => {
    const isMine = vi.fn(async () => isMine.mock.calls.length >= 3);
    const { doing, signal, projected } = work(['2', '2', '2', '2', '2'], { isMine });
    await runInBackground(signal, doing);
    expect(isMine).toHaveBeenCalledTimes(3);
    expect(projected).toEqual(['2']);
  });

  it('does not wait for ever for appends to pause', async () => {
    const moving = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(4, '0'));
    const ending = new AbortController();
    const { doing, projected } = work(moving, {
      project: async (target) => {
        projected.push(target);
        ending.abort();
      },
    });
    await runInBackground(ending.signal, doing);
    expect(projected).toHaveLength(1);
  });

  it('goes on after a failure, and says what it was', async () => {
    let failures = 0;
    const { doing, signal, projected, warned } = work(['1', '1', '1', '1'], {
      project: async (target) => {
        if (failures++ === 0) throw new Error('disk on fire');
        projected.push(target);
      },
    });
    await runInBackground(signal, doing);
    expect(warned).toEqual(['projecting failed']);
    expect(projected).toEqual(['1']);
  });

  it('says once what goes on failing', async () => {
    const { doing, signal, warned } = work(['1', '1', '1', '1', '1', '1'], {
      project: async () => {
        throw new HindsightError('disk_full', 'the disk is full');
      },
    });
    await runInBackground(signal, doing);
    expect(warned).toEqual(['projecting failed']);
  });

  it('ends at an event that only a newer release knows', async () => {
    const { doing, warned, looked } = work(
      ['1'],
      {
        project: async () => {
          throw new HindsightError('unknown_event', 'a MemoryDreamt');
        },
      },
      1_000,
    );
    await runInBackground(new AbortController().signal, doing);
    expect(warned).toEqual(['a MemoryDreamt']);
    expect(looked()).toBe(2);
  });
});

describe('a slice', () => {
  it('starts small, and at most doubles however quick the last one was', () => {
    const slices = sliceLimit();
    const taken = Array.from({ length: 8 }, () => {
      const { events, took } = slices();
      took(0.1);
      return events;
    });
    expect(taken).toEqual([16, 32, 64, 128, 256, 500, 500, 500]);
  });

  it('shrinks at once to what would have held the event loop for 12 ms', () => {
    const slices = sliceLimit();
    slices().took(96);
    expect(slices().events).toBe(4);
    slices().took(12);
    expect(slices().events).toBe(4);
    slices().took(6);
    expect(slices().events).toBe(8);
  });
});
