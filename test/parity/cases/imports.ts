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

  async 'recognises what a bank exported itself, and moves it to another with how it stands'(scene) {
    const roles = 'reader,writer,auditor,reviewer';
    const own = scene.clientOf(await scene.token({ bank: 'exported', name: 'exports', roles }));
    const write = async (content: string) =>
      (await own.ask<{ memory_id: string }>('memory_write', { content })).memory_id;
    await write('the granary is full');
    await own.ask('memory_forget', { memory_id: await write('the granary is empty'), mode: 'archive', reason: 'old' });
    const odd = await write('the granary key is under the mat');
    const verb = async (words: readonly string[], input?: string) => {
      const done = await scene.command(words, input === undefined ? {} : { input });
      expect(done.code, done.stdout + done.stderr).toBe(0);
      return done.stdout;
    };
    await verb(['review', 'quarantine', odd, '--reason', 'odd', '--bank', 'exported', '--json']);
    const exported = await verb(['export', '--bank', 'exported']);
    const into = async (bank: string) =>
      JSON.parse(await verb(['import', '-', '--format', 'jsonl', '--bank', bank, '--json'], exported)) as object;
    expect(await into('exported')).toMatchObject({ read: 5, stored: 0, unchanged: 5, forgotten: 0 });
    const other = scene.clientOf(await scene.token({ bank: 'taken over', name: 'takes over', roles }));
    expect(await into('taken over')).toMatchObject({ read: 5, stored: 3, forgotten: 2 });
    for (const client of [own, other]) {
      await client.ask('memory_stats', {});
      const { rows } = await client.ask<{ rows: readonly { content: string; status: string }[] }>('memory_audit', {
        ask: 'state',
        include: ['archived', 'quarantined'],
      });
      expect(rows.map(({ content, status }) => [content, status])).toEqual([
        ['the granary is full', 'current'],
        ['the granary is empty', 'archived'],
        ['the granary key is under the mat', 'quarantined'],
      ]);
    }
  },

  async 'reads each turn of an imported session with the one before it and the one after it'(scene) {
    const token = await scene.token({ bank: 'conversations', name: 'conversing' });
    const client = scene.clientOf(token);
    const turns = Array.from({ length: 60 }, (_, at) => ({
      id: `said-${at}`,
      text: at % 2 ? `in ${2000 + at}, as far as I know` : `when was bridge ${at} built?`,
      // Sessions in turn, so that a batch holds turns of several.
      session_id: `walk-${at % 4 < 2 ? 'north' : 'south'}`,
      timestamp: '2025-03-01T09:00:00Z',
      speaker: at % 2 ? 'Tamsin' : 'Jory',
    }));
    const args = ['import', '-', '--format', 'turns', '--bank', 'conversations', '--json'];
    const { stdout, stderr } = await scene.command(args, { input: lines(turns) });
    expect(JSON.parse(stdout), stderr).toMatchObject({ stored: 60, failed: 0 });
    // Whoever writes after it sees all that was imported.
    await client.ask('memory_write', { content: 'the walks are over', occurred_at: '2025-03-02T09:00:00Z' });
    for (const at of [4, 22, 40]) {
      const found = await client.ask<{ items: { content: string; source: { external_id: string } }[] }>(
        'memory_search',
        { query: `bridge ${at}`, min_score: 0, top_k: 2, explain: true },
      );
      expect(found.items.map(({ source }) => source.external_id).sort()).toEqual([`said-${at}`, `said-${at + 1}`]);
    }
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
