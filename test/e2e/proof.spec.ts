import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

interface Verified {
  readonly events: number;
  readonly seals: { readonly count: number; readonly signed: number; readonly unsealed: number; readonly root: string };
  readonly against?: { readonly holds: boolean; readonly signature: string };
  readonly consistency?: { readonly path: readonly string[] };
  readonly inclusion?: { readonly rank: number; readonly size: number };
  readonly contents?: { readonly opened: number };
}

describe('a root that was exported', () => {
  const home = temporaryHome();
  const file = join(home.path, 'root.json');
  afterAll(() => home.remove());
  const run = (...words: string[]) => command(home.path, words);
  const verify = async (...words: string[]) => {
    const done = await run('verify', '--json', ...words);
    return { code: done.code, ...(JSON.parse(done.stdout) as Verified) };
  };

  beforeAll(async () => {
    for (const day of ['Thursdays', 'Tuesdays']) await run('write', `Deploys go out on ${day}`, '--key', 'deploy.day');
  });

  it('is of a ledger that every process seals when it exits', async () => {
    const { seals, events, code } = await verify();
    expect(code).toBe(0);
    expect(seals).toMatchObject({ count: 2, signed: 0, unsealed: 1 });
    await run('search', 'when do deploys go out');
    expect(await verify()).toMatchObject({ events: events + 1, seals: { count: 2, unsealed: 2 } });
  });

  it('is signed by a key that is made for its owner alone', async () => {
    const done = await run('seal', '--sign', '--export', file);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/signed/) });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ v: 1, signature: expect.any(String) });
    if (process.platform !== 'win32') expect(statSync(join(home.path, 'signing.key')).mode & 0o777).toBe(0o600);
    expect((await run('write', 'The runner has 8 cores')).code).toBe(0);
    expect((await verify()).seals).toMatchObject({ count: 4, signed: 2 });
  });

  it('is what the ledger begins with, which it can prove to others', async () => {
    expect(await verify('--against', file)).toMatchObject({
      code: 0,
      against: { holds: true, signature: 'right' },
      consistency: { path: expect.any(Array) },
    });
    const { stdout } = await run('verify', '--against', file);
    expect(stdout).toMatch(/begins with the \d+ events that the root covers/);
    expect(stdout).toMatch(/signed by the key of this home/);
  });

  it('covers single events, and the contents of all open', async () => {
    const db = new DatabaseSync(join(home.path, 'ledger.db'), { readOnly: true });
    const { bytes } = db.prepare(`SELECT bytes FROM events WHERE type = 'MemoryRevised'`).get() as {
      bytes: Uint8Array;
    };
    db.close();
    const { id } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { id: string };
    expect(await verify('--prove', id, '--contents')).toMatchObject({
      code: 0,
      inclusion: { rank: 3 },
      contents: { opened: 5 },
    });
    expect(await run('verify', '--prove', 'nobody')).toMatchObject({ code: 2 });
  });

  it('is refused when it is none, or was changed', async () => {
    const text = readFileSync(file, 'utf8');
    const other = join(home.path, 'other.json');
    writeFileSync(other, '{}');
    expect(await run('verify', '--against', other)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no root/),
    });
    writeFileSync(other, text.replace(/"at": "20/, '"at": "19'));
    expect(await run('verify', '--against', other)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/signature of the root/),
    });
    writeFileSync(other, JSON.stringify({ ...JSON.parse(text), ledger: 'another' }));
    expect(await run('verify', '--against', other)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/is of ledger another[\s\S]*give a root of this one/),
    });
    expect((await run('verify', '--against', other)).stdout).not.toMatch(/backup that begins|rewritten or cut/);
  });

  it('shows a tail that was cut off, which the ledger alone does not', async () => {
    const db = new DatabaseSync(join(home.path, 'ledger.db'));
    db.exec(`DROP TRIGGER events_never_deleted; DELETE FROM events WHERE position > 4`);
    db.close();
    expect((await verify()).code).toBe(0);
    expect(await run('verify', '--against', file)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/its end was cut off/),
    });
  });
});

it('there is nothing to seal where there is no ledger', async () => {
  const home = temporaryHome();
  expect(await command(home.path, ['seal'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/no ledger/) });
  await home.remove();
});
