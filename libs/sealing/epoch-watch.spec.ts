import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { epochWatch } from './epoch-watch.js';

describe('who serves keys from memory', () => {
  it('asks at most once in the time given, and not at all while nobody asks', async () => {
    let asked = 0;
    const watch = epochWatch(async () => void asked++, 30);
    for (let calls = 0; calls < 50; calls++) await watch.due();
    expect(asked).toBe(0);
    await sleep(40);
    await Promise.all(Array.from({ length: 50 }, () => watch.due()));
    expect(asked).toBe(1);
    expect(watch.due()).toBeUndefined();
  });

  it('does not take an answer for new that was on its way before', async () => {
    let asked = 0;
    const watch = epochWatch(async () => {
      asked += 1;
      await sleep(asked === 1 ? 80 : 0);
    }, 20);
    await sleep(25);
    const first = watch.due();
    await sleep(40);
    await Promise.all([first, watch.due()]);
    expect(asked).toBe(2);
  });

  it('goes on while the store is away, without waiting, and notices that it is back', async () => {
    let isAway = true;
    let asked = 0;
    const watch = epochWatch(async () => {
      asked += 1;
      if (isAway) throw new HindsightError('keys_unreachable', 'The database of the keys is away.');
    }, 10);
    await sleep(15);
    await watch.due();
    await sleep(15);
    expect(watch.due()).toBeUndefined();
    isAway = false;
    await sleep(15);
    expect(watch.due()).toBeUndefined();
    await sleep(15);
    const before = asked;
    await watch.due();
    expect(asked).toBe(before + 1);
  });

  it('tells whatever else is wrong: a master key that is gone', async () => {
    const watch = epochWatch(async () => {
      throw new HindsightError('master_key_missing', 'It is not there.');
    }, 1);
    await sleep(5);
    await expect(watch.due()).rejects.toMatchObject({ code: 'master_key_missing' });
  });
});
