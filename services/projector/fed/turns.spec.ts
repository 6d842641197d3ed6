import { describe, expect, it } from 'vitest';
import { createPlaces, createTurns } from './turns.js';

/** Work that ends when it is told to. */
function held(log: string[], name: string) {
  let end: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    log.push(`${name} begins`);
    await until;
    log.push(`${name} ends`);
  };
  return { work, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('are taken one after the other on a place, and beside each other on others', async () => {
    const log: string[] = [];
    const turns = createTurns();
    const [one, two, both] = [held(log, 'one'), held(log, 'two'), held(log, 'both')];
    const all = [turns.take([1], one.work), turns.take([2], two.work), turns.take([1, 2], both.work)];
    await settle();
    expect(log).toEqual(['one begins', 'two begins']);
    expect([turns.isFree(1), turns.isFree(3)]).toEqual([false, true]);
    one.end();
    await settle();
    expect(log).toEqual(['one begins', 'two begins', 'one ends']);
    both.end();
    two.end();
    await Promise.all(all);
    expect(log.slice(3)).toEqual(['two ends', 'both begins', 'both ends']);
    expect([turns.isFree(1), turns.isFree(2)]).toEqual([true, true]);
  });

  it('go on after one that failed', async () => {
    const turns = createTurns();
    const failing = turns.take([1], () => Promise.reject(new Error('no')));
    const next = turns.take([1], async () => 'next');
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
  });
});

describe('places', () => {
  it('let so many in, and the others in their order', async () => {
    const log: string[] = [];
    const places = createPlaces(1);
    const [one, two] = [held(log, 'one'), held(log, 'two')];
    two.end();
    const all = [places.take(one.work), places.take(two.work), places.take(async () => void log.push('three'))];
    await settle();
    expect(log).toEqual(['one begins']);
    one.end();
    await Promise.all(all);
    expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three']);
  });

  it('count work by its size, and let what is larger than all of it go alone', async () => {
    const log: string[] = [];
    const places = createPlaces(3);
    const [two, large, one] = [held(log, 'two'), held(log, 'large'), held(log, 'one')];
    const all = [
      places.take(two.work, 2),
      places.take(large.work, 9),
      places.take(one.work, 1),
      places.take(async () => void log.push('nothing'), 0),
    ];
    await settle();
    expect(log).toEqual(['two begins']);
    two.end();
    await settle();
    expect(log).toEqual(['two begins', 'two ends', 'large begins']);
    large.end();
    one.end();
    await Promise.all(all);
    expect(log.slice(3)).toEqual(['large ends', 'one begins', 'nothing', 'one ends']);
  });
});
