import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
let home: Embedded;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-planned-'));
  const { config } = loadConfig({ flags: { home: folder, embeddings: 'none' }, env: {} });
  home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
});
afterEach(async () => {
  await home.close();
  await rm(folder, { recursive: true });
});

const filters = [{ tags: ['place'] }, { subject: 'Ada' }, { query: 'office Kreuzberg' }, { session_id: 's1' }];

it.each(filters.flatMap((filter) => (['retract', 'archive'] as const).map((mode) => ({ filter, mode }))))(
  'what is current is forgotten although its memory has a later version: $mode by $filter',
  async ({ filter, mode }) => {
    const who = home.caller('ada');
    const asked = { key: 'office', tags: ['place'], subjects: ['Ada'], session_id: 's1' };
    await home.commands.write({ ...asked, content: 'the office is in Kreuzberg' }, who);
    await home.commands.write({ ...asked, content: 'the office is in Mitte', valid_from: '2999-03-01' }, who);
    await home.commands.write(
      { content: 'the desk is new', tags: ['place'], subjects: ['Ada'], session_id: 's1' },
      who,
    );
    const shown = await home.commands.forget({ filter, mode, reason: 'moved' }, who);
    const ids = shown.would_forget!.map(({ memory_id }) => memory_id);
    expect(shown.would_forget![0]).toMatchObject({ version: 1, preview: 'the office is in Kreuzberg' });
    expect(await home.commands.forget({ filter, mode, reason: 'moved', confirm: shown.confirm }, who)).toMatchObject({
      status: 'forgotten',
      forgotten: ids,
      total: ids.length,
    });
    const { items } = await home.queries.search({ query: 'office Kreuzberg', min_score: 0 }, who);
    expect(items.map(({ content }) => content)).not.toContain('the office is in Kreuzberg');
  },
);

it('a version written since the dry run is not forgotten with it', async () => {
  const who = home.caller('ada');
  await home.commands.write({ content: 'the office is in Kreuzberg', key: 'office', tags: ['place'] }, who);
  const ask = { filter: { tags: ['place'] }, reason: 'moved' };
  const { confirm } = await home.commands.forget(ask, who);
  const planned = { content: 'the office is in Mitte', key: 'office', valid_from: '2999-03-01' };
  await home.commands.write(planned, who);
  await expect(home.commands.forget({ ...ask, confirm }, who)).rejects.toMatchObject({ code: 'confirm_mismatch' });
});
