import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import { type FakeEmbedder, fakeEmbedder, vectorOf } from '#understanding/embeddings/test-support/fake-embedder.js';
import type { StoredVector } from '#views/vectors.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';
import { startApplication } from './start-application.js';

let folder: string;
const open: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-embeds-'));
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(folder, { recursive: true });
});

async function opened(embedder: FakeEmbedder | undefined): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  const one = await openEmbedded({
    config,
    log: plainLog('silent', () => undefined),
    ...(embedder ? { embedder } : {}),
  });
  open.push(one);
  return one;
}

const bytesOf = (text: string): Buffer => Buffer.from(packVector(vectorOf(text, 32)));
/** Of a row as it is stored: long enough to stand nowhere else, and too short to be torn apart. */
const endOf = ({ sealed }: StoredVector): Buffer => Buffer.from(sealed.subarray(-48));
/** Files of the home in which some bytes stand. */
const filesWith = (bytes: Buffer): string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(bytes));

async function write(home: Embedded, content: string): Promise<string> {
  return (await home.commands.write({ content, session_id: 's1' }, home.caller('write'))).memory_id!;
}

describe('a home that embeds', () => {
  it('embeds in the background of a server, says how far it is, and stops with it', async () => {
    const embedder = fakeEmbedder({ cold: true });
    const home = await opened(embedder);
    await write(home, 'where do you live');
    await write(home, 'in Lisbon');
    const stats = async () => (await home.queries.stats(home.caller('stats'))).vectors;
    expect(await stats()).toEqual({ model: 'fake', state: 'idle', done: 0, of: 2 });
    const services = await startApplication(home);
    for (let tries = 0; (await stats())?.done !== 2 && tries < 500; tries++) await sleep(20);
    expect(await stats()).toEqual({ model: 'fake', state: 'ready', done: 2, of: 2 });
    await services.close();
    open.pop();
    expect(embedder.asked.map(({ text }) => text)).toEqual(['where do you live', 'where do you live\nin Lisbon']);
  });

  it('says nothing of vectors where nothing embeds', async () => {
    const home = await opened(undefined);
    await write(home, 'in Lisbon');
    expect(home.embedding).toBeUndefined();
    expect((await home.queries.stats(home.caller('stats'))).vectors).toBeUndefined();
  });

  it('loads the model after the first answer, and for no write', async () => {
    const embedder = fakeEmbedder({ cold: true });
    const home = await opened(embedder);
    await write(home, 'in Lisbon');
    await sleep(60);
    expect(embedder.warmed).toBe(0);
    await home.queries.search({ query: 'Lisbon' }, home.caller('search'));
    expect(embedder.warmed).toBe(0);
    await sleep(60);
    expect(embedder.warmed).toBe(1);
  });

  it('leaves in no file the vector of what was erased, nor of what was embedded with it', async () => {
    const home = await opened(fakeEmbedder());
    await write(home, 'where do you live');
    const doomed = await write(home, 'in Lisbon');
    await write(home, 'nice there');
    await home.projector.catchUp();
    await home.embedding!.untilDone();
    const space = passageSpace(await fakeEmbedder().space());
    const rows = () => home.views.reader().vectorsFrom(home.bank, space, 0, 9);
    const boxes = vectorBoxes(home.vault, home.bank, space);
    const isOf = async (row: StoredVector, text: string) => {
      const opened = await boxes.open(row.doc, row.sealed);
      return typeof opened === 'string' ? opened : bytesOf(text).equals(opened);
    };
    const texts = ['where do you live', 'where do you live\nin Lisbon', 'in Lisbon\nnice there'];
    const before = await rows();
    for (const [at, text] of texts.entries()) {
      expect(await isOf(before[at]!, text)).toBe(true);
      expect(filesWith(bytesOf(text))).toEqual([]);
      expect(filesWith(endOf(before[at]!))).toContain('views.db-wal');
    }
    const who = home.caller('erase');
    const ask = { memory_ids: [doomed], reason: 'asked to' };
    const { confirm } = await home.commands.erase(ask, who);
    expect(await home.commands.erase({ ...ask, confirm }, who)).toMatchObject({ status: 'erased' });
    for (const row of before.slice(1)) {
      expect(filesWith(endOf(row))).toEqual([]);
      expect(await isOf(row, '')).toBe('gone');
    }
    expect(filesWith(endOf(before[0]!))).toEqual(['views.db']);
    await home.embedding!.untilDone();
    const [kept, anew, ...rest] = await rows();
    expect(rest).toEqual([]);
    expect(await isOf(kept!, 'where do you live')).toBe(true);
    expect(await isOf(anew!, 'nice there')).toBe(true);
    for (const text of [...texts, 'nice there']) expect(filesWith(bytesOf(text))).toEqual([]);
  });

  it('embeds nothing twice when its views are lost', async () => {
    const embedder = fakeEmbedder();
    const home = await opened(embedder);
    for (const text of ['one', 'two', 'three']) await write(home, text);
    await home.projector.catchUp();
    await home.embedding!.untilDone();
    await home.close();
    open.pop();
    for (const end of ['', '-wal', '-shm']) await rm(join(folder, `views.db${end}`), { force: true });
    const again = await opened(embedder);
    await again.projector.catchUp();
    await again.embedding!.untilDone();
    expect(embedder.asked).toHaveLength(3);
    const space = passageSpace(await embedder.space());
    expect(await again.views.reader().vectorsFrom(again.bank, space, 0, 9)).toHaveLength(3);
  });
});
