import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

const lines = (records: readonly object[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;

export const imports: ParityCases = {
  async 'stores each record of a file once, however often it is imported'(scene) {
    const token = await scene.token({ bank: 'imported', name: 'importing' });
    const client = scene.clientOf(token);
    const turns = Array.from({ length: 30 }, (_, at) => ({
      id: `turn-${at}`,
      text: `${at % 4 === 0 ? `我们在讨论第${at}个里程碑` : `we spoke about milestone ${at}`}${' ok'.repeat(at)}`,
      session_id: `talk-${at}`,
      timestamp: `2025-02-0${(at % 9) + 1}T09:00:00Z`,
      speaker: at % 2 ? 'Mina' : '王芳',
    }));
    const broken = { id: 'turn-x', session_id: 'talk-0' };
    const args = ['import', '-', '--format', 'turns', '--bank', 'imported', '--json'];
    const input = lines([...turns, broken]);
    const first = await scene.command(args, { input });
    expect(JSON.parse(first.stdout), first.stderr).toMatchObject({ read: 31, stored: 30, failed: 1 });
    const second = await scene.command(args, { input });
    expect(JSON.parse(second.stdout), second.stderr).toMatchObject({ stored: 0, unchanged: 30, failed: 1 });
    await client.ask('memory_stats', {});
    const found = await client.ask<{ items: unknown[] }>('memory_search', {
      query: '里程碑 milestone',
      top_k: 100,
      min_score: 0,
    });
    expect(found.items).toHaveLength(30);
    expect(await client.ask('memory_search', { query: 'milestone 7', session_id: 'talk-7', top_k: 1 })).toMatchObject({
      items: [
        {
          content: expect.stringMatching(/^Mina: we spoke about milestone 7 ok/),
          source: { origin: 'import', external_id: 'turn-7' },
        },
      ],
    });
  },

  async 'imports memories with their fields, and what was forgotten since'(scene) {
    const token = await scene.token({ bank: 'moved in', name: 'moving' });
    const client = scene.clientOf(token);
    const file = lines([
      { id: 1, content: 'the lease ends in 2026', key: 'lease.end', valid_from: '2024-01-01', tags: ['office'] },
      { id: 2, content: 'the lease ends in 2029', key: 'lease.end', valid_from: '2025-01-01', tags: ['office'] },
      { id: 3, content: 'coffee is in the cellar', importance: 0.9, subjects: ['Noor'] },
      { forget: { id: 3, reason: 'it moved' } },
    ]);
    const args = ['import', '-', '--format', 'jsonl', '--bank', 'moved in', '--json'];
    for (const stored of [3, 0]) {
      const { stdout, stderr } = await scene.command(args, { input: file });
      expect(JSON.parse(stdout), stderr).toMatchObject({ read: 4, stored, failed: 0 });
    }
    await client.ask('memory_history', { key: 'lease.end' });
    expect(await client.ask('memory_search', { query: 'coffee cellar lease', min_score: 0 })).toMatchObject({
      items: [{ content: 'the lease ends in 2029' }],
    });
    await client.ask('memory_search', { query: 'coffee', min_score: 0, include: ['retracted'] });
  },
};
