import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { probeText } from '#understanding/embeddings/openai/probe.js';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '#understanding/embeddings/openai/test-support/embedding-server.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

/** A home whose embeddings come from a server. */
let folder: string;
let server: EmbeddingServer;
const open: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-embeds-'));
  server = await startEmbeddingServer();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

async function opened(): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home: folder, embeddings: server.url }, env: {} });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined), embeds: true });
  open.push(home);
  return home;
}

/** All views are lost, and made anew by another process. */
async function rebuilt(home: Embedded): Promise<Embedded> {
  await home.close();
  open.splice(open.indexOf(home), 1);
  for (const end of ['', '-wal', '-shm']) rmSync(`${home.paths.views}${end}`, { force: true });
  return opened();
}

async function embedded(home: Embedded): Promise<string[]> {
  const before = server.asked.length;
  await home.projector.catchUp({ everything: true });
  await home.embedding!.untilDone();
  return server.asked.slice(before).flatMap(({ body }) => body.input.filter((each) => each !== probeText));
}

const says = (home: Embedded, content: string, more: object = {}) =>
  home.commands.write({ content, ...more }, home.caller('write'));

describe('embeddings of a server', () => {
  it('are asked for once, whatever becomes of the views', async () => {
    let home = await opened();
    for (const at of [1, 2, 3]) await says(home, `text ${at}`, { session_id: 's' });
    expect(await embedded(home)).toEqual(['text 1', 'text 1\ntext 2', 'text 2\ntext 3']);
    home = await rebuilt(home);
    expect(await embedded(home)).toEqual([]);
    await says(home, 'text 4', { session_id: 's' });
    expect(await embedded(home)).toEqual(['text 3\ntext 4']);
  });

  it('are asked for again of what stood beside an erased text, without it, and of nothing else', async () => {
    let home = await opened();
    const ids: string[] = [];
    for (const at of [1, 2, 3]) ids.push((await says(home, `text ${at}`, { session_id: 's' })).memory_id!);
    await embedded(home);
    const who = home.caller('erase');
    const ask = { memory_ids: [ids[1]!], reason: 'asked to' };
    const { confirm } = await home.commands.erase(ask, who);
    expect(await home.commands.erase({ ...ask, confirm }, who)).toMatchObject({ status: 'erased' });
    expect(await embedded(home)).toEqual(['text 3']);
    home = await rebuilt(home);
    const again = await embedded(home);
    expect(again.filter((text) => text.includes('text 2'))).toEqual([]);
    expect(again).not.toContain('text 1');
  });

  it('do not keep a write or a question waiting when the server is down, and come when it is back', async () => {
    await server.stop();
    const home = await opened();
    await says(home, 'Deploys go out on Thursdays');
    const asked = await home.queries.search({ query: 'deploys' }, home.caller('search'));
    expect(asked.items).toHaveLength(1);
    await expect(home.embedding!.untilDone()).rejects.toMatchObject({ code: 'embeddings_unavailable' });
    await server.start();
    await expect
      .poll(async () => embedded(home).catch(() => []), { timeout: 20_000, interval: 200 })
      .toEqual(['Deploys go out on Thursdays']);
  });

  it('are all made anew when the model changes under the same name', async () => {
    const home = await opened();
    for (const at of [1, 2]) await says(home, `text ${at}`);
    await embedded(home);
    const [former] = await home.views.vectors.spaces();
    server.model = 'other';
    await says(home, 'text 3');
    const made: string[] = [];
    await expect
      .poll(
        async () => {
          made.push(...(await embedded(home).catch(() => [])));
          return (await home.views.vectors.spaces()).map(({ model }) => model === former!.model);
        },
        { timeout: 20_000, interval: 100 },
      )
      .toEqual([false]);
    expect(made.slice(-3)).toEqual(['text 1', 'text 2', 'text 3']);
  });
});
