import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { importFile } from '#ingest/formats/import-file.js';
import { knownBy } from '#ingest/formats/own-records.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { plainLog } from '../embedded/plain-log.js';
import { exportBank } from './export-bank.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const opened: Awaited<ReturnType<typeof openEmbedded>>[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function newHome() {
  const { config } = loadConfig({ flags: { home: join(folder, `${++made}`) }, env: {} });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  opened.push(home);
  return home;
}
type Home = Awaited<ReturnType<typeof newHome>>;

async function exported({ ledger, vault, bank, sources }: Home, current = false) {
  const lines: string[] = [];
  for await (const line of exportBank(ledger, vault, bank, { current, now: sources.now() }))
    lines.push(JSON.stringify(line));
  return lines;
}

async function imported({ commands, caller, ledger }: Home, lines: readonly string[]) {
  const chunks = async function* () {
    for (const line of lines) yield `${line}\n`;
  };
  return importFile(chunks(), 'jsonl', commands, caller('import'), { knownBy: knownBy(ledger) });
}

/** What is held of each status, by its text. */
async function statuses({ queries, caller }: Home) {
  const { rows } = await queries.audit(
    { ask: 'state', include: ['current', 'archived', 'quarantined', 'retracted'], limit: 100 },
    caller('audit'),
  );
  return (rows as readonly { status: string; content: string }[])
    .map(({ status, content }) => `${content}: ${status}`)
    .sort();
}

async function filled() {
  const home = await newHome();
  const { commands, caller } = home;
  const asked = caller('memory_write');
  const write = async (content: string, key?: string) => {
    const written = await commands.write({ content, ...(key && { key }) }, asked);
    return (written as { memory_id: string }).memory_id;
  };
  await write('served');
  await commands.forget({ memory_id: await write('laid aside'), mode: 'archive', reason: 'old' }, asked);
  await commands.forget({ memory_id: await write('taken back'), reason: 'wrong' }, asked);
  const heldBack = await write('held back', 'held');
  await commands.review({ memory_id: heldBack, verdict: 'quarantine', reason: 'odd' }, asked);
  await write('held back, and written again', 'held');
  const rejected = await write('rejected');
  await commands.review({ memory_id: rejected, verdict: 'quarantine', reason: 'odd' }, asked);
  await commands.review({ memory_id: rejected, verdict: 'reject', reason: 'poison' }, asked);
  const released = await write('released');
  await commands.review({ memory_id: released, verdict: 'quarantine', reason: 'odd' }, asked);
  await commands.review({ memory_id: released, verdict: 'release', reason: 'well' }, asked);
  const back = await write('back by a write', 'back');
  await commands.forget({ memory_id: back, mode: 'archive', reason: 'old' }, asked);
  await write('back by a write, indeed', 'back');
  return home;
}

const held = [
  'back by a write, indeed: current',
  'held back, and written again: quarantined',
  'held back: quarantined',
  'laid aside: archived',
  'rejected: retracted',
  'released: current',
  'served: current',
  'taken back: retracted',
];

it('brings what is not served where it is imported to where it was, and again changes nothing', async () => {
  const source = await filled();
  expect(await statuses(source)).toEqual(held);
  const lines = await exported(source);
  const target = await newHome();
  expect(await imported(target, lines)).toMatchObject({ stored: 9, forgotten: 4, failed: 0 });
  expect(await statuses(target)).toEqual(held);
  expect(await imported(target, lines)).toMatchObject({ stored: 0, forgotten: 0, failed: 0 });
  expect(await statuses(target)).toEqual(held);
});

it('lets only a reviewer bring back what was rejected, there too', async () => {
  const lines = await exported(await filled());
  const target = await newHome();
  await imported(target, lines);
  const again = (await exported(target)).map(
    (line) => JSON.parse(line) as { forget?: { as?: string; reason: string } },
  );
  expect(again.flatMap(({ forget }) => (forget ? [[forget.as ?? 'retracted', forget.reason]] : [])).sort()).toEqual([
    ['archived', 'old'],
    ['quarantined', 'odd'],
    ['rejected', 'poison'],
    ['retracted', 'wrong'],
  ]);
});

it('of what is current holds nothing that is held back, though it was written again', async () => {
  const texts = (await exported(await filled(), true)).map((line) => (JSON.parse(line) as { content: string }).content);
  expect(texts.sort()).toEqual(['back by a write, indeed', 'released', 'served']);
});

async function eventsOf({ ledger }: Home): Promise<number> {
  let count = 0;
  for await (const { type } of ledger.readAll()) if (type.startsWith('Memor')) count++;
  return count;
}

it('is recognised by the bank that it came from: nothing is doubled, released or taken back', async () => {
  const home = await filled();
  const lines = await exported(home);
  const before = await eventsOf(home);
  expect(await imported(home, lines)).toMatchObject({ read: 13, stored: 0, unchanged: 13, forgotten: 0, failed: 0 });
  expect(await statuses(home)).toEqual(held);
  // What changed here since the export stays: a line of it says how things stood then.
  const { commands, caller } = home;
  const asked = caller('memory_write');
  const { rows } = await home.queries.audit({ ask: 'state', include: ['retracted', 'archived'], limit: 100 }, asked);
  for (const { content, memory_id = '' } of rows)
    if (content === 'taken back' || content === 'laid aside')
      await commands.restore({ memory_id, reason: 'right after all' }, asked);
  const since = await statuses(home);
  expect(await imported(home, lines)).toMatchObject({ stored: 0, unchanged: 13, forgotten: 0, failed: 0 });
  expect(await statuses(home)).toEqual(since);
  expect(await eventsOf(home)).toBe(before + 2);
});

it('brings back to its memory what a version of it lacks, and nothing that was erased since', async () => {
  const home = await newHome();
  const { commands, caller } = home;
  const asked = caller('memory_write');
  const { memory_id = '' } = await commands.write({ content: 'the mill grinds rye' }, asked);
  const older = await exported(home);
  await commands.write({ memory_id, content: 'the mill grinds oats' }, asked);
  const lines = (await exported(home)).map((line) => JSON.parse(line) as { source_event: { event_id: string } });
  // As a ledger that was restored from before the second version: it has the memory, and not that event.
  lines[1]!.source_event.event_id = memory_id;
  const texts = lines.map((line) => JSON.stringify(line));
  expect(await imported(home, texts)).toMatchObject({ stored: 1, unchanged: 1, failed: 0 });
  expect(await imported(home, texts)).toMatchObject({ stored: 0, unchanged: 2, failed: 0 });
  expect((await home.queries.audit({ ask: 'state' }, asked)).rows).toMatchObject([{ memory_id, version: 3 }]);
  const { confirm } = await commands.erase({ memory_ids: [memory_id], reason: 'asked to' }, asked);
  await commands.erase({ memory_ids: [memory_id], reason: 'asked to', confirm: confirm! }, asked);
  const again = await imported(home, older);
  expect(again).toMatchObject({ stored: 0, unchanged: 0, failed: 1 });
  expect(again.problems[0]?.message).toMatch(/^value_erased/);
});
