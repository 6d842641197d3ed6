import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { MemoryItem } from '#contract/memory-item.js';
import { differencesBetween } from './reading-differences.js';

const item = (id: string, version = 1): MemoryItem => ({
  id,
  version,
  kind: 'semantic',
  content: `${id}${version}`,
  status: 'current',
  tags: [],
  source: { principal: 'ann', origin: 'user' },
  importance: 0.5,
  confidence: 1,
  trust: 1,
  recorded_at: '2026-03-01T00:00:00.000Z',
  valid_from: '2026-03-01T00:00:00.000Z',
  system_from: '2026-03-01T00:00:00.000Z',
});
const list = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 2)), {
  selector: ([id, version]) => `${id}${version}`,
});
const names = (items: readonly (readonly [string, number])[]) => items.map(([id, version]) => `${id}${version}`);

test.prop([list, list, list, fc.constantFrom('en' as const, 'zh' as const)])(
  'readings agree if and only if they list the same versions; else each version that is not in all is named once',
  (now, known, told, language) => {
    const of = (items: typeof now) => items.map(([id, version]) => item(id, version));
    const sentences = differencesBetween({ now: of(now), known: of(known), told: of(told) }, language);
    const readings = [now, known, told].map((items) => new Set(names(items)));
    const differing = [...new Set(names([...now, ...known, ...told]))].filter(
      (name) => !readings.every((reading) => reading.has(name)),
    );
    const told_ = sentences.join(' ');
    // More than five of one set of readings are counted.
    const named = differing.filter((name) => told_.includes(`“${name}”`));
    expect(sentences.length === 0).toBe(differing.length === 0);
    if (!/more|另有/.test(told_)) expect(named.sort()).toEqual(differing.sort());
    for (const name of differing) expect(told_.split(`“${name}”`).length).toBeLessThanOrEqual(2);
  },
);

it('counts what is too much to quote', () => {
  const now = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => item(id));
  expect(differencesBetween({ now, known: [], told: [] }, 'en')).toEqual([
    'Only among what is true now: “a1”, “b1”, “c1”, “d1”, “e1”, and 2 more.',
  ]);
  expect(differencesBetween({ now: [], known: now, told: now }, 'zh')).toEqual([
    '在另外两种读法中有，在“现在的事实”中没有：“a1”、“b1”、“c1”、“d1”、“e1”，另有 2 条。',
  ]);
});
