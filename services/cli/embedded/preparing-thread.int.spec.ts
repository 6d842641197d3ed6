import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { createProjector, type Projector } from '#projector/create-projector.js';
import { prepareEvent } from '#projector/fold/prepare-event.js';
import { type PreparedSlice, projectPrepared } from '#projector/fold/project-batch.js';
import { prepareInThread } from '#projector/preparing/prepare-in-thread.js';
import type { Preparation, PreparedAhead } from '#projector/preparing/preparing.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { history } from '#projector/test-support/history.js';
import { digests, live } from '#projector/test-support/test-home.js';
import { erasedLater } from '#sealing/erased-later.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

const silent = plainLog('silent', () => undefined);
const all = allProjections.map(({ name }) => name);
const small = { events: 7, bytes: 1_000_000 };

let file: string;
let folder: string;
let home: Embedded;
let closing: (() => Promise<void>)[];

beforeAll(async () => {
  file = await bundledProgram(new URL('./preparing-thread.ts', import.meta.url));
});
afterAll(() => rmSync(file, { force: true }));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hl-preparing-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  home = await openEmbedded({ config, log: silent });
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await home.close();
  rmSync(folder, { recursive: true });
});

/** The thread at once, and how many slices were had of it. */
function counted(): {
  prepareAhead: (given: Preparation) => PreparedAhead;
  had: PreparedSlice[];
} {
  const had: PreparedSlice[] = [];
  const { paths, config } = home;
  const opens = { ledger: paths.ledger, keysDb: paths.keys, masterKeyFile: config.masterKeyFile };
  return {
    had,
    prepareAhead(given) {
      const thread = prepareInThread({ file, opens }, given, { manyEvents: 0 });
      let hasBegun = false;
      return {
        ...thread,
        async next(...asked) {
          // Nobody has to wait for a thread to begin; here it is what is tested.
          for (let tries = 0; ; tries++) {
            const slice = await thread.next(...asked);
            if (slice) had.push(slice);
            hasBegun ||= slice !== undefined;
            if (hasBegun || tries === 100) return slice;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        },
      };
    },
  };
}

async function station(name: string, more: object = {}): Promise<{ views: Views; projector: Projector }> {
  const { ledger, vault } = home;
  const views = await openSqliteViews(join(folder, name), { ledger: ledger.id, shapes: allProjections, log: silent });
  const projector = createProjector({ ledger, vault, views, log: silent, ...more });
  closing.push(
    () => views.close(),
    () => projector.close(),
  );
  return { views, projector };
}

async function aLife(count: number): Promise<void> {
  const events = history(home.ledger, home.vault, 'b1');
  await live(events, count);
  await events.erase('m2');
  await home.vault.destroy({ secrets: events.secretsOf('m2'), subjects: [], banks: [] });
  await events.write('m3', { content: 'after it', session: 's', key: 'k', tags: ['a', 'b'], subjects: ['Ann'] });
}

async function stored(): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of home.ledger.readAll()) found.push(event);
  return found;
}

describe('events that another thread prepares', () => {
  it('are what this thread makes of them, without what a person wrote', async () => {
    await aLife(90);
    const { prepareAhead, had } = counted();
    const thread = prepareAhead({ projections: all, size: small });
    closing.push(() => thread.close());
    const events = await stored();
    const target = events.at(-1)!.position;
    for (let after: string | undefined; (after ?? '') < target; ) after = (await thread.next(after, target))!.to;
    expect(had.length).toBeGreaterThan(10);
    expect(had.flatMap((slice) => slice.stored.map(({ id }) => id))).toEqual(events.map(({ id }) => id));
    const prepared = new Map(had.flatMap((slice) => [...slice.prepared]));
    for (const event of events) {
      const here = await prepareEvent(home.vault, event, { erasedLater: erasedLater(home.ledger) });
      const expected = here && { ...here, found: here.found, event: { ...here.event, content: undefined } };
      expect(prepared.get(event.position)).toEqual(expected);
    }
  });

  it('give a replay the same rows, byte for byte, also from where it was interrupted', async () => {
    await aLife(150);
    const alone = await station('alone.db');
    await alone.projector.catchUp({ everything: true });
    const { prepareAhead, had } = counted();
    const threaded = await station('threaded.db', { prepareAhead });
    await threaded.projector.catchUp({ everything: true });
    const stop = new AbortController();
    const onProgress = ({ events }: { events: number }) => events > 40 && stop.abort();
    const first = await threaded.projector.replay({ batch: 7, onProgress, signal: stop.signal });
    expect(first.status).toBe('cancelled');
    const beforeThat = had.length;
    const second = await threaded.projector.replay({ batch: 7, check: true });
    expect(beforeThat).toBeGreaterThan(3);
    expect(had.length).toBeGreaterThan(beforeThat + 10);
    expect(first.events + second.events).toBeGreaterThanOrEqual((await stored()).length);
    expect(second.projections.map(({ matches }) => matches)).toEqual(second.projections.map(() => true));
    expect(await digests(threaded)).toEqual(await digests(alone));
  });

  it('are begun anew where somebody goes on from elsewhere', async () => {
    await aLife(60);
    const { prepareAhead } = counted();
    const thread = prepareAhead({ projections: all, size: small });
    closing.push(() => thread.close());
    const events = await stored();
    const target = events.at(-1)!.position;
    await thread.next(undefined, target);
    const from = events[30]!.position;
    const slice = await thread.next(from, events[33]!.position);
    expect(slice?.stored.map(({ id }) => id)).toEqual(events.slice(31, 34).map(({ id }) => id));
    expect(slice?.to).toBe(events[33]!.position);
  });

  it('are left to this thread where one cannot be prepared, which then says why', async () => {
    const events = history(home.ledger, home.vault, 'b1');
    await live(events, 30);
    await events.write('lost', { content: 'its key is gone, and nothing says that it was erased' });
    await events.write('m3', { content: 'after it' });
    await home.vault.destroy({ secrets: events.secretsOf('lost'), subjects: [], banks: [] });
    const { prepareAhead, had } = counted();
    const { projector } = await station('views.db', { prepareAhead });
    await expect(projector.replay({ batch: 2 })).rejects.toMatchObject({ code: 'event_unreadable' });
    expect(had.length).toBeGreaterThan(0);
  });

  it('are left to this thread once the other has ended', async () => {
    await aLife(60);
    const { prepareAhead, had } = counted();
    let asked = 0;
    const { projector } = await station('views.db', {
      prepareAhead(given: Preparation) {
        const thread = prepareAhead(given);
        return {
          ...thread,
          async next(...at: Parameters<PreparedAhead['next']>) {
            if (++asked === 4) await thread.close();
            return thread.next(...at);
          },
        };
      },
    });
    const { status } = await projector.replay({ batch: 7 });
    expect(status).toBe('switched');
    expect(had).toHaveLength(3);
    expect(asked).toBeGreaterThan(6);
  });

  it('have the system times that they had where they were written, from any position on', async () => {
    await aLife(60);
    const { prepareAhead } = counted();
    const thread = prepareAhead({ projections: ['recalls'], size: { events: 20, bytes: 1_000_000 } });
    closing.push(() => thread.close());
    const { ledger, vault } = home;
    const target = (await stored()).at(-1)!.position;
    const slice = (await thread.next(undefined, target))!;
    // Of events that nobody looks at only their times count.
    expect(slice.prepared.size).toBeLessThan(slice.stored.length);
    const { views } = await station('times.db');
    await projectPrepared({ ledger, vault, views, log: silent }, [], slice, '', { strict: true });
    const counting = slice.stored.map(({ type }) => type !== 'RecallServed');
    expect(slice.times.map((time) => time !== undefined)).toEqual(counting);
  });
});
