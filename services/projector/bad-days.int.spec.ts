import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { decodeEnvelope, encodeEvent } from '#events/envelope.js';
import { eventHash } from '#events/hash.js';
import { memoryStream } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { openDatabase } from '#sqlite/open-database.js';
import { testVault } from '#test/test-vault.js';
import { allProjections } from './projections/all-projections.js';
import { history } from './test-support/history.js';
import { digests, live, type Station, type TestHome, testHome } from './test-support/test-home.js';

let home: TestHome;

beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

const memory = (station: Station, id: string) => station.views.reader().memory('b1', id);

describe('views.db', () => {
  it('is built where it is missing, and the log says so', async () => {
    await live(home.events, 20);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    expect(station.logged).toEqual(['views.db is not there: building it from the ledger']);
    expect(await memory(station, 'm0')).toMatchObject({ status: 'current' });
  });

  it.each([[['']], [['', '-wal', '-shm']]])('may be deleted while it is open (with suffixes %j)', async (suffixes) => {
    await live(home.events, 20);
    const [one, other] = [await home.station(), await home.station()];
    await one.projector.catchUp({ everything: true });
    await other.projector.catchUp({ everything: true });
    const before = await digests(one);
    for (const suffix of suffixes) rmSync(`${home.viewsPath}${suffix}`, { force: true });
    await other.projector.catchUp({ everything: true });
    await one.projector.catchUp({ everything: true });
    expect(statSync(home.viewsPath).size).toBeGreaterThan(0);
    expect([await digests(one), await digests(other)]).toEqual([before, before]);
    await home.events.write('later', {});
    await one.projector.catchUp({ everything: true });
    await other.projector.catchUp({ everything: true });
    expect(await memory(one, 'later')).toEqual(await memory(other, 'later'));
  });

  it('may be deleted while calls of one process are under way, and every one of them is answered', async () => {
    await live(home.events, 20);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const before = await digests(station);
    for (let round = 0; round < 20; round++) {
      rmSync(home.viewsPath, { force: true });
      const appended = home.events.write(`late${round}`, {});
      const asked = [1, 2, 3, 4].map(async (turn) => {
        if (turn > 1) await station.views.stamp();
        await station.projector.catchUp({ everything: true });
        return memory(station, 'm0');
      });
      const read = memory(station, 'm0');
      await appended;
      expect(await Promise.all(asked)).toEqual(Array(4).fill(expect.objectContaining({ memoryId: 'm0' })));
      expect(await read).toBeDefined();
    }
    expect(await digests(station)).not.toEqual(before);
    expect(await memory(station, 'late19')).toBeDefined();
  });

  it('is rebuilt when it is no database', async () => {
    writeFileSync(home.viewsPath, 'no database at all '.repeat(1000));
    await live(home.events, 20);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    expect(station.logged).toEqual(['views.db is damaged: rebuilding it from the ledger']);
    expect(await memory(station, 'm0')).toBeDefined();
  });

  it('is rebuilt when a page turns out to be damaged by a read', async () => {
    await live(home.events, 60);
    const first = await home.station();
    await first.projector.catchUp({ everything: true });
    const before = await digests(first);
    await first.close();
    const bytes = readFileSync(home.viewsPath);
    bytes.fill(0xa5, 3 * 4096);
    writeFileSync(home.viewsPath, bytes);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    await memory(station, 'm0');
    expect(await digests(station)).toEqual(before);
    expect(station.logged).toEqual(['views.db is damaged: rebuilding it from the ledger']);
  });

  it('is rebuilt when it was cut', async () => {
    await live(home.events, 60);
    const first = await home.station();
    await first.projector.catchUp({ everything: true });
    const before = await digests(first);
    await first.close();
    truncateSync(home.viewsPath, 5 * 4096);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    await memory(station, 'm0');
    expect(await digests(station)).toEqual(before);
  });

  it('of a newer format is left alone, with an error that says what to do', async () => {
    const db = openDatabase(home.viewsPath, { synchronous: 'NORMAL' });
    db.exec('PRAGMA user_version = 99; CREATE TABLE theirs (x)');
    db.close();
    await expect(home.station()).rejects.toSatisfy(
      (error) => isHindsightError(error, 'newer_format') && /99/.test(error.message) && /delete/.test(error.message),
    );
    const again = openDatabase(home.viewsPath, { synchronous: 'NORMAL', readOnly: true });
    expect(again.prepare('SELECT count(*) AS n FROM theirs').get()).toEqual({ n: 0 });
    again.close();
  });

  it('of another ledger is rebuilt', async () => {
    await home.events.write('m', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    await station.close();
    const db = openDatabase(home.viewsPath, { synchronous: 'NORMAL' });
    db.exec(`UPDATE hl_meta SET value = 'another' WHERE name = 'ledger'`);
    db.close();
    const again = await home.station();
    expect(again.logged[0]).toContain('belongs to ledger another');
    await again.projector.catchUp({ everything: true });
    expect(await memory(again, 'm')).toBeDefined();
  });

  it('that is ahead of the ledger is rebuilt from what the ledger holds', async () => {
    await home.events.write('kept', {});
    const { position } = await home.events.write('lost', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    await station.close();
    const older: Ledger = {
      ...home.ledger,
      head: async () => {
        for await (const event of home.ledger.readAll({ before: position, direction: 'backward', limit: 1 }))
          return event.position;
        return undefined;
      },
    };
    const again = await home.station({ ledger: older });
    await again.projector.catchUp({ everything: true });
    expect(await memory(again, 'kept')).toBeDefined();
    expect(await memory(again, 'lost')).toBeUndefined();
  });
});

describe('a projection of another version', () => {
  const newer = allProjections.map((each) =>
    each.name === 'memories' ? { ...each, version: each.version + 1 } : each,
  );

  it('is rebuilt as the next generation when it is older, and refused when it is newer', async () => {
    await live(home.events, 30);
    const before = await home.station();
    await before.projector.catchUp({ everything: true });
    const after = await home.station({ projections: newer });
    await after.projector.catchUp({ everything: true });
    expect((await after.views.generations()).find(({ projection }) => projection === 'memories')).toMatchObject({
      generation: 2,
      version: newer.find(({ name }) => name === 'memories')!.version,
      active: true,
    });
    await expect(before.projector.catchUp({ everything: true })).rejects.toSatisfy((error) =>
      isHindsightError(error, 'newer_format'),
    );
  });
});

describe('an event that cannot be projected', () => {
  it('is set aside by name with everything later of its stream, and the rest goes on', async () => {
    await home.events.write('before', {});
    const { bytes: _bytes, ...event } = await home.events.sealed('poisoned', {});
    const broken = Buffer.from('no JSON');
    await home.events.append({ ...event, bytes: broken, hash: eventHash(broken) });
    await home.events.write('poisoned', {});
    await home.events.write('after', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    expect(await memory(station, 'after')).toBeDefined();
    expect(await memory(station, 'poisoned')).toBeUndefined();
    const stream = memoryStream(home.ledger.id, 'b1', 'poisoned');
    expect(await station.projector.deadLetters()).toMatchObject([
      { eventId: 'e2', type: 'MemoryRecorded', stream, reason: 'its bytes are no JSON' },
      { eventId: 'e3', type: 'MemoryRevised', stream, reason: 'an earlier event of its stream was set aside' },
    ]);
    const other = await home.station();
    await home.events.forget('poisoned');
    await other.projector.catchUp({ everything: true });
    expect((await station.projector.deadLetters()).map(({ eventId }) => eventId)).toEqual(['e2', 'e3', 'e5']);
  });

  it('fails a rebuild at once, and leaves what is in use alone', async () => {
    await history(home.ledger, await testVault(), 'b1', 'x').write('poisoned', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    await expect(station.projector.replay()).rejects.toSatisfy(
      (error) => isHindsightError(error, 'event_unreadable') && error.message.includes('x1'),
    );
    expect(
      (await station.views.generations()).filter(({ active }) => active).map(({ generation }) => generation),
    ).toEqual(allProjections.map(() => 1));
  });

  it('whose bytes are not those that were hashed marks the ledger damaged', async () => {
    const event = await home.events.sealed('m', {});
    const { position } = await home.events.append({ ...event, hash: Uint8Array.from(event.hash, (byte) => byte ^ 1) });
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    expect(station.damaged).toMatchObject([{ position }]);
    expect(await station.projector.deadLetters()).toMatchObject([{ eventId: event.id }]);
  });

  it('of a type that only a newer release knows stops projecting with a message that names it', async () => {
    const event = await home.events.sealed('m', {});
    const unknown = encodeEvent({ ...decodeEnvelope(event.bytes), type: 'MemoryDreamt' });
    await home.events.append(unknown);
    await home.events.write('after', {});
    const station = await home.station();
    await expect(station.projector.catchUp({ everything: true })).rejects.toSatisfy(
      (error) => isHindsightError(error, 'unknown_event') && error.message.includes('MemoryDreamt'),
    );
    expect(await memory(station, 'after')).toBeUndefined();
    expect(await station.projector.deadLetters()).toEqual([]);
  });
});

describe('a replay', () => {
  it('can be cancelled and goes on where it stopped', async () => {
    await live(home.events, 40);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const before = await digests(station);
    const cancel = new AbortController();
    cancel.abort();
    expect(await station.projector.replay({ signal: cancel.signal })).toMatchObject({ status: 'cancelled' });
    expect((await station.views.generations()).filter(({ active }) => !active)).toHaveLength(allProjections.length);
    const seen: number[] = [];
    const replayed = await station.projector.replay({ onProgress: ({ events }) => seen.push(events) });
    expect(replayed.status).toBe('switched');
    expect(replayed.events).toBe(seen.at(-1));
    expect((await station.views.generations()).filter(({ active }) => active)).toMatchObject(
      ['findings', 'keywords', 'memories', 'ratings', 'recalls', 'stats', 'versions'].map((projection) => ({
        projection,
        generation: 2,
        active: true,
      })),
    );
    expect(await digests(station)).toEqual(before);
  });

  it('with a check says which projection differs from what the ledger means, and puts it right', async () => {
    await live(home.events, 20);
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const before = await digests(station);
    const db = openDatabase(home.viewsPath, { synchronous: 'NORMAL' });
    db.exec(`UPDATE memories_g1 SET kind = 'working' WHERE memory_id = 'm0'`);
    db.close();
    const { projections } = await station.projector.replay({ check: true });
    expect(projections.map(({ projection, matches }) => [projection, matches])).toEqual([
      ['memories', false],
      ['versions', true],
      ['keywords', true],
      ['ratings', true],
      ['findings', true],
      ['stats', true],
      ['recalls', true],
    ]);
    expect(station.logged).toContain('the rebuilt generation differs from the one in use');
    expect(await digests(station)).toEqual(before);
  });

  it('to an earlier position only looks', async () => {
    await home.events.write('m', {});
    const { position } = await home.events.write('n', {});
    await home.events.write('o', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    const looked = await station.projector.replay({ projections: ['memories'], to: position });
    expect(looked).toMatchObject({ status: 'looked', projections: [{ projection: 'memories', rows: 2 }] });
    expect(await station.views.generations()).toHaveLength(allProjections.length);
    expect(existsSync(home.viewsPath)).toBe(true);
  });

  it('to a position only looks, at the head too, and refuses what is no position', async () => {
    const { position: head } = await home.events.write('m', {});
    const station = await home.station();
    await station.projector.catchUp({ everything: true });
    expect(await station.projector.replay({ to: head })).toMatchObject({ status: 'looked' });
    await expect(station.projector.replay({ to: '3' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`head ${head}`),
    });
    expect(await station.views.generations()).toMatchObject(
      ['findings', 'keywords', 'memories', 'ratings', 'recalls', 'stats', 'versions'].map((projection) => ({
        projection,
        generation: 1,
        active: true,
      })),
    );
  });
});
