import { expect, it } from 'vitest';
import type { MemoryItem } from '#contract/memory-item.js';
import { renderItem, renderSearch } from './items.js';

const plain = { width: 80, style: (_: unknown, text: string) => text };
const item: MemoryItem = {
  id: 'm1',
  version: 2,
  kind: 'semantic',
  content: 'The depot closes at six.',
  status: 'current',
  tags: [],
  source: { principal: 'local:ada', origin: 'user' },
  importance: 0.5,
  confidence: 1,
  trust: 0.8,
  recorded_at: '2026-03-01T00:00:00.000Z',
  valid_from: '2026-03-01T00:00:00.000Z',
  system_from: '2026-03-01T00:00:00.000Z',
  score: 0.83,
  also: ['m7', 'm9'],
};

it('names the memories that an item stands for, and what feedback on the answer has to name', () => {
  expect(renderSearch({ items: [item], basis: 'b1.x', recall_id: 'r1' }, plain)).toBe(
    `
1. The depot closes at six.
   semantic · true since 2026-03-01 · written 2026-03-01 by local:ada · score 0.83
   id m1, version 2
   says the same as m7, m9

recall r1
basis b1.x
`.trim(),
  );
  expect(renderItem(item, plain, '', undefined, 'zh')).toContain('内容与 m7, m9 相同');
});
