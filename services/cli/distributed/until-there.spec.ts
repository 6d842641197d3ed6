import { expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { untilThere, type Waiting, whyNot } from './until-there.js';

function waiting(withinMs = 5_000) {
  const said: string[] = [];
  const say = (_fields: object, message: string) => void said.push(message);
  const stop = new AbortController();
  const parts: Waiting = {
    log: { debug: say, info: say, warn: say, error: say },
    signal: stop.signal,
    until: Date.now() + withinMs,
    missing: new Map(),
  };
  return { parts, said, stop };
}

const away = () => new HindsightError('unreachable', 'It is away.');

it('waits for what may come, says so once, and that it came', async () => {
  const { parts, said } = waiting();
  let tries = 0;
  const opened = await untilThere(
    'the ledger',
    async () => {
      if (++tries < 3) throw away();
      return 'ledger';
    },
    parts,
  );
  expect([opened, tries]).toEqual(['ledger', 3]);
  expect(said).toEqual(['waiting for the ledger: It is away.', 'the ledger: there now']);
  expect(parts.missing.size).toBe(0);
});

it('names what is missing meanwhile, and gives up with the reason at the end of patience', async () => {
  const { parts } = waiting(150);
  const opening = untilThere('the keys', () => Promise.reject(away()), parts);
  await expect(opening).rejects.toThrow('It is away.');
  expect([...parts.missing.values()]).toEqual(['the keys: It is away.']);
});

it('does not wait for what will not come, or when it is to stop', async () => {
  const wrong = new HindsightError('invalid_config', 'Two ledgers share a database.');
  await expect(untilThere('the views', () => Promise.reject(wrong), waiting().parts)).rejects.toBe(wrong);
  const { parts, stop } = waiting();
  const opening = untilThere('the views', () => Promise.reject(away()), parts);
  stop.abort();
  await expect(opening).rejects.toThrow('Stopped while waiting for the views.');
});

it('tells why something is not there now, and never what only the log may say', async () => {
  expect(await whyNot('the feed', async () => undefined)).toEqual([]);
  expect(await whyNot('the feed', () => Promise.reject(away()))).toEqual(['the feed: It is away.']);
  expect(await whyNot('the feed', () => new Promise(() => {}), 10)).toEqual(['the feed: No answer within 0.01 s.']);
  const [said] = await whyNot('the feed', () => Promise.reject(new TypeError('secret')));
  expect(said).not.toContain('secret');
});
