import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, type SmallDisk, smallDisk } from '#test/engines/small-disk.js';
import { startServer } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

/** What cannot be tested where nothing may be mounted says so by its name. */
const why = canMount ? '' : ' (skipped: mounting a small disk needs Linux and root)';

const person = 'Ottilie Vandermeer';
const said = (at: number) => `${person} keeps ${at} herons${' in the reeds'.repeat(30)}`;
const other = (at: number) => `the lock of day ${at} stood open${' for the barges'.repeat(30)}`;

describe.runIf(canMount)(`a disk that is full in the middle${why}`, () => {
  let disk: SmallDisk;
  let home: string;
  beforeEach(() => {
    disk = smallDisk(64);
    home = disk.folder;
  });
  afterEach(async () => {
    await disk.remove();
  });

  const hl = (...words: string[]) => command(home, words);

  async function filled(): Promise<void> {
    const lines = Array.from({ length: 600 }, (_, at) =>
      JSON.stringify(
        at % 4 === 0 ? { id: `p${at}`, content: said(at), subjects: [person] } : { id: `o${at}`, content: other(at) },
      ),
    );
    const file = join(home, 'lines.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const imported = await hl('import', file, '--format', 'jsonl', '--no-embed');
    expect(imported.code, imported.stderr).toBe(0);
    rmSync(file);
    expect((await hl('search', 'lock of day')).code).toBe(0);
  }

  async function expectRestUnharmed(): Promise<void> {
    const verified = await hl('verify', '--contents');
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    const state = await hl('audit', 'state', '--format', 'jsonl');
    const rows = state.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { content?: string });
    expect(rows.filter(({ content }) => content?.startsWith('the lock of day'))).toHaveLength(450);
    const checked = await hl('replay', '--check');
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  }

  it.each([
    // In KiB. What runs out, as of today: the ledger, the ledger after the order, the keys, the views.
    ['at its beginning', 0],
    ['with room for its order', 96],
    ['with room for its events', 384],
    ['with room for its keys', 1_024],
  ] as const)(
    'of an erasure, %s: nothing of it is half there for good; it ends by itself when there is room',
    async (_when, left) => {
      await filled();
      const server = await startServer(home, { args: ['--roles', 'reader,writer,eraser'] });
      try {
        const ask = { filter: { subject: person }, mode: 'erase', reason: 'asked to' };
        const { confirm } = (await server.call('memory_forget', ask)).structured;
        fillBut(disk, left);
        const answer = await server.call('memory_forget', { ...ask, confirm });
        expect(answer.isError, answer.text).toBe(left === 0);
        // With room for the keys it may be done: what is written over takes no more room.
        if (answer.structured.status !== 'erased' || left < 384) expect(answer.text).toMatch(/The disk is full: /);
        disk.makeRoom();
        await expect
          .poll(async () => (await server.call('memory_forget', { ...ask, confirm })).structured.status, {
            timeout: 60_000,
            interval: 500,
          })
          .toBe('erased');
      } finally {
        await server.close();
      }
      const found = await hl('search', `${person} herons`, '--include', 'superseded,retracted', '--min-score', '0');
      expect(found.stdout).not.toContain('herons');
      const exported = await hl('export');
      expect(exported.stdout).not.toContain('herons');
      await expectRestUnharmed();
    },
  );

  it('of a replay: the generation in use goes on answering, and the replay is done when there is room', async () => {
    await filled();
    const before = await hl('search', 'lock of day 7', '--json');
    fillBut(disk, 512);
    const refused = await hl('replay');
    expect(refused.code, refused.stdout).not.toBe(0);
    expect(refused.stderr).toMatch(/disk_full|disk is full/i);
    disk.makeRoom();
    const itemsOf = (text: string) => (JSON.parse(text) as { items: unknown[]; basis: string }).items;
    const { basis } = JSON.parse(before.stdout) as { basis: string };
    const after = await hl('search', 'lock of day 7', '--basis', basis, '--json');
    expect(itemsOf(after.stdout), after.stderr).toEqual(itemsOf(before.stdout));
    const done = await hl('replay');
    expect(done.code, done.stdout + done.stderr).toBe(0);
    expect(itemsOf((await hl('search', 'lock of day 7', '--basis', basis, '--json')).stdout)).toEqual(
      itemsOf(before.stdout),
    );
    await expectRestUnharmed();
  });

  it('of its last byte: doctor says to free space, and sends nobody to an older copy of a file that is whole', async () => {
    await filled();
    fillBut(disk, 0);
    const found = await hl('doctor');
    expect(found.code).not.toBe(0);
    expect(found.stdout).toContain('Free space on the disk of the home');
    expect(found.stdout).not.toContain('from a backup');
    disk.makeRoom();
    const after = await hl('doctor');
    expect(after.code, after.stdout).toBe(0);
  });
});

/** Leaves so many KiB. */
function fillBut(disk: SmallDisk, left: number): void {
  const spare = join(disk.folder, '..', 'spare');
  if (left > 0) writeFileSync(spare, Buffer.alloc(left * 1024));
  disk.fill();
  rmSync(spare, { force: true });
}
