import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { decodeEnvelope } from '#events/envelope.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { plainLog } from '../embedded/plain-log.js';
import { type ExportedRecall, exportRecalls } from './export-recalls.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-export-recalls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const opened: Awaited<ReturnType<typeof openEmbedded>>[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function newHome() {
  const { config } = loadConfig({ flags: { home: join(folder, `${++made}`) }, env: {} });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined), embeds: false });
  opened.push(home);
  const { commands, queries, caller } = home;
  return {
    ...home,
    write: async (content: string, subjects?: string[]) =>
      (await commands.write({ content, ...(subjects && { subjects }) }, caller('memory_write'))).memory_id!,
    search: (query: string) => queries.search({ query, min_score: 0 }, caller('memory_search')),
    rate: (memory_id: string, outcome: 'useful' | 'wrong' | 'irrelevant', recall_id?: string) =>
      commands.rate({ memory_id, outcome, recall_id }, caller('memory_feedback')),
    exported: async () => {
      await commands.flush();
      const rows: ExportedRecall[] = [];
      for await (const row of exportRecalls(home.ledger, home.vault, home.bank)) rows.push(row);
      return rows;
    },
  };
}

describe('an export of recalls', () => {
  it('has what was asked, what was served, and what was said last of it about that answer', async () => {
    const home = await newHome();
    const kiln = await home.write('the kiln fires at 1,240 degrees');
    const first = await home.search('kiln degrees');
    const second = await home.search('how hot is the kiln');
    await home.rate(kiln, 'wrong', first.recall_id);
    await home.rate(kiln, 'useful', first.recall_id);
    await home.rate(kiln, 'irrelevant');
    const score = (found: typeof first) => found.items[0]!.score;
    expect(await home.exported()).toMatchObject([
      {
        recall_id: first.recall_id,
        query: 'kiln degrees',
        items: [{ memory_id: kiln, version: 1, score: score(first), rating: 'useful' }],
      },
      {
        recall_id: second.recall_id,
        query: 'how hot is the kiln',
        items: [{ memory_id: kiln, version: 1, score: score(second) }],
      },
    ]);
    expect((await home.exported())[1]!.items[0]).not.toHaveProperty('rating');
  });

  it('has no question whose key is gone, and all else of its answer', async () => {
    const home = await newHome();
    const kiln = await home.write('the kiln fires at 1,240 degrees');
    const { recall_id } = await home.search('kiln degrees');
    await home.commands.flush();
    for await (const { type, bytes } of home.ledger.readAll())
      if (type === 'RecallServed')
        await home.vault.destroy({ secrets: [decodeEnvelope(bytes).box!.k], subjects: [], banks: [] });
    const [row] = await home.exported();
    expect(row).toMatchObject({ recall_id, items: [{ memory_id: kiln }] });
    expect(row).not.toHaveProperty('query');
  });

  it('has nothing of what was erased', async () => {
    const home = await newHome();
    const ada = await home.write('Ada fires the kiln', ['Ada']);
    const other = await home.write('the kiln is in the yard');
    const { recall_id, items } = await home.search('kiln');
    expect(items.map(({ id }) => id).sort()).toEqual([ada, other].sort());
    await home.rate(ada, 'useful', recall_id);
    const who = { ...home.caller('erase'), roles: ['eraser' as const] };
    const { confirm } = await home.commands.erase({ subject: 'Ada', reason: 'asked' }, who);
    expect(await home.commands.erase({ subject: 'Ada', reason: 'asked', confirm: confirm! }, who)).toMatchObject({
      forgotten: [ada],
    });
    const rows = await home.exported();
    expect(rows).toMatchObject([{ recall_id, items: [{ memory_id: other }] }]);
    expect(rows[0]).not.toHaveProperty('query');
    expect(JSON.stringify(rows)).not.toContain(ada);
  });
});
