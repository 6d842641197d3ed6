import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';
import { systemSources } from './system-sources.js';

const hour = 3_600_000;
const noon = Date.UTC(2026, 5, 1, 12);
const iso = (millis: number) => new Date(millis).toISOString();

let folder: string;
let now: number;
const opened: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-bad-days-'));
  now = noon;
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await rm(folder, { recursive: true });
});

async function open(): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  // Each look at the clock finds it a millisecond later, wherever it stands.
  const sources = { ...systemSources, now: () => now++ };
  const home = await openEmbedded({ config, sources, log: plainLog('silent', () => undefined) });
  opened.push(home);
  return home;
}

it('a clock that jumps backwards turns nothing around: what came later is later, and answers of before are given again', async () => {
  const home = await open();
  const { commands, queries, ledger, projector } = home;
  const who = home.caller('spec');
  const write = (key: string, content: string) => commands.write({ key, content, valid_from: '2026-01-01' }, who);
  await write('db', 'the database is MySQL');
  const early = now++;
  await write('lead', 'Ada leads the team');
  const ask = (more: object = {}) => queries.search({ query: 'database team', min_score: 0, ...more }, who);
  const before = await ask();
  const at = now;

  now = noon - 5 * hour;
  await write('db', 'the database is PostgreSQL');
  await write('cache', 'the cache of the team is Redis');
  const { memory_id = '' } = await write('queue', 'the queue of the team is Kafka');
  await commands.forget({ memory_id, reason: 'no longer' }, who);
  const after = await ask();
  expect(after.items.map(({ content }) => content).sort()).toEqual([
    'Ada leads the team',
    'the cache of the team is Redis',
    'the database is PostgreSQL',
  ]);

  // Within a stream recorded time does not run back; over all of the ledger system time does not.
  const recorded = new Map<string, string>();
  for await (const { stream, bytes } of ledger.readAll()) {
    const { recordedAt } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { recordedAt: string };
    expect(recordedAt >= (recorded.get(stream) ?? '')).toBe(true);
    recorded.set(stream, recordedAt);
  }
  const { entries } = await queries.history({ key: 'db' }, who);
  expect(entries.map(({ content }) => content)).toEqual(['the database is MySQL', 'the database is PostgreSQL']);
  expect(entries[1]!.system_from >= entries[0]!.system_from).toBe(true);
  const { rows } = await queries.audit({ ask: 'state', include: ['superseded', 'retracted'], limit: 100 }, who);
  const systemTimes = rows.map(({ system_from }) => system_from!);
  expect(systemTimes).toEqual([...systemTimes].sort());
  for (const each of systemTimes.slice(2)) expect(each >= iso(noon)).toBe(true);

  expect((await ask({ basis: before.basis })).items).toEqual(before.items);
  now = at + hour;
  // What came after the jump counts as known from the last moment before it on: no time is between the two.
  const texts = async (as_of: number) => (await ask({ as_of: iso(as_of) })).items.map(({ content }) => content).sort();
  expect(await texts(early)).toEqual(['the database is MySQL']);
  expect(await texts(at)).toEqual(after.items.map(({ content }) => content).sort());
  // No moment of the ledger is that early.
  expect((await ask({ as_of: iso(noon - hour) })).items).toEqual([]);

  expect(await verifyLedger(ledger)).toMatchObject({ broken: [], missing: [], seals: { faults: [] } });
  await projector.catchUp();
  for (const each of (await projector.replay({ check: 'only' })).projections) expect(each.matches).toBe(true);
});

it('another process whose clock is behind writes after what is there, too', async () => {
  const one = await open();
  const who = one.caller('spec');
  await one.commands.write({ key: 'slot', content: 'first' }, who);
  now = noon - 24 * hour;
  const other = await open();
  expect(await other.commands.write({ key: 'slot', content: 'second' }, who)).toMatchObject({ version: 2 });
  const { items } = await other.queries.search({ query: 'second first', min_score: 0 }, who);
  expect(items.map(({ content }) => content)).toEqual(['second']);
});

it('a token of a dry run holds in its own bank alone', async () => {
  const home = await open();
  const who = home.caller('spec');
  const there = { ...who, bank: await home.commands.bankNamed('elsewhere') };
  for (const caller of [who, there])
    await home.commands.write({ content: 'a scratch note', tags: ['scratch'] }, caller);
  const ask = { filter: { tags: ['scratch'] }, reason: 'done' };
  const planned = await home.commands.forget(ask, who);
  expect(planned).toMatchObject({ status: 'dry_run', total: 1 });
  const refused = await home.commands
    .forget({ ...ask, confirm: planned.confirm! }, there)
    .catch((error: unknown) => error);
  expect(refused).not.toMatchObject({ status: 'forgotten' });
  expect((await home.queries.search({ query: 'scratch note' }, there)).items).toHaveLength(1);
});
