import { describe, expect, it } from 'vitest';
import type { MemoryItem } from '#contract/memory-item.js';
import type { SearchOutput } from '#contract/search.js';
import { featureNames } from '#query/recall/ranking/features.js';
import { renderExplained } from './explain-table.js';
import { featureWords } from './feature-words.js';

const plain = { width: 80, style: (_: unknown, text: string) => text };
const item = (id: string, content: string, more: Partial<MemoryItem> = {}): MemoryItem => ({
  id,
  version: 1,
  kind: 'semantic',
  content,
  status: 'current',
  tags: [],
  source: { principal: 'os:ada', origin: 'user' },
  importance: 0.5,
  confidence: 1,
  trust: 1,
  recorded_at: '2026-03-01T00:00:00.000Z',
  valid_from: '2026-03-01T00:00:00.000Z',
  system_from: '2026-03-01T00:00:00.000Z',
  ...more,
});
const found: SearchOutput = {
  items: [
    item('m1', 'The staging database is PostgreSQL 16', {
      version: 2,
      score: 0.934,
      also: ['m7'],
      replaced: [{ version: 1, content: 'MySQL', valid_from: '2026-02-01T00:00:00.000Z' }],
      explain: {
        legs: { vector: { rank: 2, score: 0.8612 }, keyword: { rank: 1, score: 0.71 } },
        matched: ['staging', 'database'],
        features: {
          words: { value: 1, weight: 1.2 },
          meaning: { value: 0.9, weight: 2 },
          length: { value: 0.5, weight: -0.4 },
          recency: { value: 0.1, weight: 0.1 },
          tellsTime: { value: 1, weight: 0.04 },
        },
        why: ['It is newer than what else is said of it.'],
      },
    }),
    item(
      'm2',
      '测试环境的数据库每天凌晨两点备份，备份保留三十天，超过之后自动删除，恢复演练每个季度做一次，由运维组负责',
      {
        score: 0.41,
        status: 'superseded',
        valid_to: '2026-03-08T00:00:00.000Z',
        explain: { legs: { vector: { rank: 5, score: 0.8012 } } },
      },
    ),
  ],
  basis: 'b2.x',
  recall_id: 'r1',
  notes: ['1 more did not fit token_budget 40: m9 (about 60 tokens).'],
  explained: {
    text: 'staging database',
    cut: ['what did I tell you about'],
    form: 'fact',
    cutoff: 0.28,
    form_cutoff: 0.005,
    beside_best: 0.3,
    beside_best_across: 0.1,
    dropped: [{ id: 'm3', version: 4, score: 0.12, why: 'Its score is below the cut.' }],
  },
};

describe('the table of an explained answer', () => {
  it('shows how the question was taken, each leg’s place, what mattered in words, and what was left out', () => {
    expect(renderExplained(found, plain)).toBe(
      `
Searched for: staging database
Cut as filler: what did I tell you about
Weighed as: fact
Served from a score of: 0.28 (0.005 is the least for a fact, and beside the best
one 0.30 of its score, 0.10 in another language than the question)

#  score  vector      keyword     memory
1   0.93  2. (0.861)  1. (0.710)  The staging database is PostgreSQL 16
   for: meaning +1.80, its words +1.20
   against: length −0.20
   all else: +0.05
   words that it holds: staging, database
   It is newer than what else is said of it.
   took the place of version 1
   stands for m7 as well, which says the same
   id m1, version 2
2   0.41  5. (0.801)  –           测试环境的数据库每天凌晨两点备份，备份保留三…
   superseded · true from 2026-03-01 to 2026-03-08 · id m2, version 1

Left out:
  0.12  m3, version 4  Its score is below the cut.

Note: 1 more did not fit token_budget 40: m9 (about 60 tokens).

recall r1
basis b2.x
`.trim(),
    );
  });
  it('says what the cut follows from only where that was told', () => {
    const served = (explained: SearchOutput['explained']) =>
      /^Served.*$/m.exec(renderExplained({ ...found, explained }, plain))?.[0];
    expect(served({ form: 'turn', cutoff: 0.015, form_cutoff: 0.015 })).toBe(
      'Served from a score of: 0.015 (0.015 is the least for a turn)',
    );
    expect(served({ form: 'fact', cutoff: 0.2 })).toBe('Served from a score of: 0.20');
  });
  it('shows an empty answer, and nothing that was not explained', () => {
    expect(renderExplained({ items: [], basis: 'b2.x', recall_id: 'r1' }, plain)).toBe(
      'Nothing that is relevant.\n\nrecall r1\nbasis b2.x',
    );
    expect(renderExplained({ ...found, items: [item('m1', 'x')], explained: {}, notes: [] }, plain)).toBe(
      '#  score  memory\n1         x\n   id m1, version 1\n\nrecall r1\nbasis b2.x',
    );
  });
  it('breaks what is longer than the page, and tells nothing relevant from nothing that fits', () => {
    expect(renderExplained(found, { ...plain, width: 30 })).toContain('\n   for: meaning +1.80, its\n   words +1.20\n');
    expect(renderExplained({ ...found, items: [], explained: {} }, plain)).toMatch(/^Nothing that fits token_budget\./);
  });
  it('sends nothing of a memory to the terminal that could move its cursor', () => {
    const sly = item('m1', 'a\u001b[2Jb', { score: 1, explain: { legs: {}, matched: ['\u001b[1m'] } });
    expect(renderExplained({ ...found, items: [sly], explained: { text: '\u001b[3m' } }, plain)).not.toContain(
      '\u001b',
    );
  });
  it('tells how a memory fared, however little that adds beside what else speaks for it', () => {
    const names = ['words', 'wordsInContext', 'coverage', 'meaning', 'length', 'names', 'key'];
    const features = {
      ...Object.fromEntries(names.map((name) => [name, { value: 1, weight: 2 }])),
      feedback: { value: -0.26, weight: 1 },
    };
    const rated = item('m1', 'x', { score: 1, explain: { legs: {}, features } });
    expect(renderExplained({ ...found, items: [rated] }, { ...plain, width: 400 })).toContain(
      'against: how it fared before −0.26\n',
    );
  });
  it('has words for every feature of the ranking', () => {
    for (const name of featureNames) expect(featureWords(name)).not.toMatch(/[A-Z_]/);
    expect(featureWords('somethingNew')).toBe('something new');
  });
});
