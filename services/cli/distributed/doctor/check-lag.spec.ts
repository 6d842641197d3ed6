import { describe, expect, it } from 'vitest';
import { moment } from '../../render/moment.js';
import { checkLag, type Standing } from './check-lag.js';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const of = (projection: string, more: Partial<Standing> = {}): Standing => ({
  projection,
  events: [0, 0],
  oldest: undefined,
  isAtLeast: false,
  isAhead: false,
  ...more,
});

describe('how far the projections are', () => {
  it.each([
    ['nothing waits', {}, 'well'],
    ['a few wait for a moment', { events: [3, 4], oldest: now - 60_000 }, 'well'],
    ['one waits for longer than a minute', { events: [1, 0], oldest: now - 60_001 }, 'warning'],
    ['many wait, however short', { events: [600, 401], oldest: now - 10 }, 'warning'],
    ['they are beyond the ledger', { isAhead: true }, 'wrong'],
  ])('where %s', (_, more, status) => {
    expect(checkLag([of('memories'), of('versions', more)], now)).toMatchObject({ check: 'projections', status });
  });

  it('says how many events wait and since when, and who carries them', () => {
    const waiting = { events: [2, 5], oldest: Date.parse('2026-03-01T11:40:00.000Z') };
    const later = { events: [1, 0], oldest: Date.parse('2026-03-01T11:50:00.000Z') };
    const { says, mend } = checkLag([of('memories', waiting), of('stats', later), of('recalls')], now);
    expect(says).toMatch(/^memories is 7 events behind, stats is 1 event behind; the first was recorded /);
    expect(says).toContain(moment('2026-03-01T11:40:00.000Z'));
    expect(says).not.toContain('recalls');
    expect(mend).toMatch(/relay and a projector/);
  });

  it('says that more wait than were counted', () => {
    expect(checkLag([of('memories', { events: [100_000], isAtLeast: true })], now).says).toBe(
      'memories is at least 100,000 events behind.',
    );
  });

  it('names replay where they are beyond the ledger, whatever else there is', () => {
    const { says, mend } = checkLag([of('memories', { isAhead: true }), of('stats', { events: [5_000] })], now);
    expect(says).toMatch(/^memories has come further than the ledger reaches/);
    expect(mend).toContain('hindsight-ledger replay');
  });

  it('is nothing to wait for before the first projector', () => {
    expect(checkLag([], now)).toMatchObject({ status: 'warning', mend: 'Start a projector and a relay.' });
  });
});
