import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { EraseInput } from '#contract/forget.js';
import type { Embedded } from './open-embedded.js';
import { openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
let home: Embedded;
let other: Embedded;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-erasure-races-'));
  mkdirSync(join(folder, 'place'));
  home = await opened();
  other = await opened();
});
afterEach(async () => {
  await home.close();
  await other.close();
  await rm(folder, { recursive: true });
});

function opened(): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home: folder, keyBackup: join(folder, 'place', 'copy.keys') }, env: {} });
  return openEmbedded({ config, log: plainLog('silent', () => undefined) });
}

const tea = { content: 'the kettle boils tea', key: 'tea', tags: ['drink'] };
const soup = { content: 'the pot boils soup', key: 'soup', tags: ['drink'] };
const later = { content: 'the kettle boils tea at noon', key: 'tea', tags: ['drink'] };

/** Two memories, each served by one record of a read. */
async function written(subjects: readonly string[] = []) {
  const who = home.caller('erase');
  const about = subjects.length > 0 ? { subjects: [...subjects] } : {};
  const ids: string[] = [];
  for (const each of [tea, soup]) ids.push((await home.commands.write({ ...each, ...about }, who)).memory_id!);
  for (const query of ['kettle', 'soup'])
    expect((await home.queries.search({ query, min_score: 0 }, who)).items).toHaveLength(1);
  await home.commands.flush();
  return { who, tea: ids[0]!, soup: ids[1]! };
}

/** Another process writes after the set was found to be the one that was shown, and before the order stands. */
function writeBeforeTheOrder(): void {
  const { mayDestroy } = home.vault;
  let done = false;
  Object.assign(home.vault, {
    async mayDestroy() {
      await mayDestroy();
      if (!done) await other.commands.write(later, other.caller('write'));
      done = true;
    },
  });
}

/** Another process writes once the order stands, and before it is carried out. */
function writeBehindTheOrder(): void {
  const { catchUp } = home.projector;
  let done = false;
  Object.assign(home.projector, {
    async catchUp(...asked: Parameters<typeof catchUp>) {
      if (!done && (await holds('ErasureOrdered'))) {
        done = true;
        await other.commands.write(later, other.caller('write'));
      }
      return catchUp(...asked);
    },
  });
}

async function holds(type: string): Promise<boolean> {
  for await (const each of home.ledger.readAll()) if (each.type === type) return true;
  return false;
}

const orders: readonly (readonly [string, (ids: { tea: string; soup: string }) => Partial<EraseInput>])[] = [
  ['memories', ({ tea, soup }) => ({ memory_ids: [tea, soup] })],
  ['a filter', () => ({ filter: { tags: ['drink'] } })],
];
const moments = [
  ['before the order stands', writeBeforeTheOrder],
  ['behind the order', writeBehindTheOrder],
] as const;

describe.each(orders)('an erasure of %s', (_what, meant) => {
  it.each(moments)('leaves what another process writes %s, and says so', async (_when, race) => {
    const ids = await written();
    const { who } = ids;
    const ask = { ...meant(ids), reason: 'r' };
    const { confirm, total } = await home.commands.erase(ask, who);
    expect(total).toBe(2);
    race();
    const done = await home.commands.erase({ ...ask, confirm }, who);
    expect(done).toMatchObject({
      status: 'erased',
      forgotten: [ids.soup],
      total: 1,
      erasure: { left: [ids.tea], recalls: 1 },
    });
    expect(JSON.parse(done.erasure!.certificate!.text).what).toMatchObject({ memories: 1, left: [ids.tea] });

    // Whoever asks again with the same token is told the same, by another process too.
    for (const each of [home, other])
      expect(await each.commands.erase({ ...ask, confirm }, who)).toMatchObject({
        status: 'erased',
        forgotten: [ids.soup],
        erasure: { id: done.erasure!.id, left: [ids.tea] },
      });
    expect((await home.queries.search({ query: 'soup', min_score: 0 }, who)).items).toEqual([]);
    const { entries } = await home.queries.history({ memory_id: ids.tea }, who);
    expect(entries.map(({ content }) => content)).toEqual([tea.content, later.content]);

    const again = await home.commands.erase(ask, who);
    expect(again.total).toBe(1);
    expect(await home.commands.erase({ ...ask, confirm: again.confirm }, who)).toMatchObject({
      status: 'erased',
      forgotten: [ids.tea],
      erasure: { recalls: 1 },
    });
    expect((await home.queries.search({ query: 'kettle', min_score: 0 }, who)).items).toEqual([]);
  });

  it('that goes on later keeps to what it ended, whatever was written anew meanwhile', async () => {
    const ids = await written();
    const { who } = ids;
    const ask = { ...meant(ids), reason: 'r' };
    const { confirm } = await home.commands.erase(ask, who);
    const { mayDestroy } = home.vault;
    Object.assign(home.vault, {
      mayDestroy: () => mayDestroy().then(() => rmSync(join(folder, 'place'), { recursive: true })),
    });
    expect(await home.commands.erase({ ...ask, confirm }, who)).toMatchObject({ status: 'erasing' });
    expect(await holds('MemoryErased')).toBe(true);
    expect(await other.commands.write(later, who)).toMatchObject({ memory_id: ids.tea, version: 2 });
    mkdirSync(join(folder, 'place'));
    const done = await other.commands.erase({ ...ask, confirm }, who);
    expect(done).toMatchObject({ status: 'erased', total: 2, erasure: { recalls: 2 } });
    expect(done.erasure).not.toHaveProperty('left');
    const { items } = await other.queries.search({ query: 'boils', min_score: 0 }, who);
    expect(items.map(({ content }) => content)).toEqual([later.content]);
  });
});

it.each(moments)('an erasure of a person takes what is written %s too', async (_when, race) => {
  const ids = await written(['Ada']);
  const { who } = ids;
  const ask = { subject: 'Ada', reason: 'r' };
  const { confirm } = await home.commands.erase(ask, who);
  race();
  const done = await home.commands.erase({ ...ask, confirm }, who);
  expect(done).toMatchObject({ status: 'erased', total: 2 });
  expect(done.erasure).not.toHaveProperty('left');
  expect((await home.queries.search({ query: 'boils', min_score: 0 }, who)).items).toEqual([]);
});
