import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { entry } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { environment } from '#test/support/environment.js';
import { freshHomes, parsed } from '#test/support/fresh-homes.js';

const freshHome = freshHomes();

describe('memories by the command', () => {
  const home = freshHome();
  const hl = (...args: string[]) => command(home, args);

  it('are written, found, revised, forgotten, restored and looked back on', async () => {
    const first = await hl('write', 'Deploys go out on Thursdays', '--key', 'deploy.day', '--tags', 'ops,release');
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^stored: \S+, version 1\n$/) });
    const again = await hl('write', 'Deploys go out on Thursdays', '--key', 'deploy.day', '--tags', 'ops,release');
    expect(again.stdout).toMatch(/^unchanged: /);
    expect((await hl('write', 'Deploys go out on Tuesdays', '--key', 'deploy.day')).stdout).toMatch(
      /supersedes version 1/,
    );

    const found = parsed<{ items: { id: string; content: string; source: { origin: string } }[] }>(
      await hl('search', 'when do deploys go out', '--json'),
    );
    expect(found.items).toMatchObject([{ content: 'Deploys go out on Tuesdays', source: { origin: 'user' } }]);
    const id = found.items[0]!.id;

    expect((await hl('feedback', 'success', id, '--note', 'it did go out')).stdout).toMatch(
      /^rated: success, \S+, version 2; its weight is \+0\.14\n$/,
    );
    expect((await hl('feedback', 'success', '--key', 'deploy.day')).stdout).toMatch(/^unchanged: /);
    expect((await hl('forget', id, '--reason', 'moved')).stdout).toMatch(/^forgotten: 1 memory/);
    expect((await hl('search', 'when do deploys go out')).stdout).toMatch(/^Nothing that is relevant/);
    expect((await hl('restore', id, '--reason', 'moved back')).stdout).toMatch(/^restored: /);
    const history = await hl('history', '--key', 'deploy.day');
    expect(history.stdout).toMatch(/recorded, version 1.*revised, version 2.*forgotten.*because: moved\n.*restored/s);
    expect(history.stdout).toMatch(/rated success, version 2 {2}by \S+.*\n {4}because: it did go out\n/);
    expect((await hl('stats')).stdout).toMatch(/^Bank default: 1 memory\.\n/);
  });

  it('take content from stdin, objects and metadata', async () => {
    const piped = await command(home, ['write', '-', '--json'], { input: 'a first line\nand a second one\n' });
    expect(parsed(piped)).toMatchObject({ status: 'stored', version: 1 });
    const object = await hl('write', '{"trigger":"pager rings","outcome":"quiet"}', '--object', '--kind', 'experience');
    expect(object.code).toBe(0);
    const found = parsed<{ items: { content: unknown }[] }>(await hl('search', 'pager rings', '--json'));
    expect(found.items[0]!.content).toEqual({ trigger: 'pager rings', outcome: 'quiet' });
  });

  it('are not looked for in a bank that nobody wrote to, nor is it made by that', async () => {
    for (const verb of [
      ['search', 'deploys'],
      ['history', '--key', 'deploy.day'],
      ['stats'],
      ['export'],
      ['forget', '--tags', 'ops', '--dry-run'],
      ['token', 'list'],
      ['token', 'create', 'ci'],
      ['bank', 'show'],
    ])
      expect(await hl(...verb, '--bank', 'defualt')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /^bank_not_found: There is no bank "defualt"; there are "default"\. Did you mean "default"\?\n/,
        ),
      });
    const env = { HINDSIGHT_LEDGER_BANK: 'defualt' };
    expect((await command(home, ['search', 'deploys'], { env })).code).toBe(2);
    for (const verb of [['bank', 'list'], ['replay'], ['doctor']])
      expect((await command(home, verb, { env })).code, verb.join(' ')).toBe(0);
    const banks = parsed<{ name: string }[]>(await command(home, ['bank', 'list', '--json'], { env }));
    expect(banks.map(({ name }) => name)).toEqual(['default']);
  });

  it('that a filter means are shown first, and go only when somebody agrees', async () => {
    for (const text of ['one temporary note', 'another temporary note']) await hl('write', text, '--tags', 'temporary');
    const asked = await hl('forget', '--tags', 'temporary', '--reason', 'clean-up');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(/Would forget 2 memories:.*--yes/s);
    expect((await hl('search', 'temporary note')).stdout).toMatch(/temporary note/);
    expect((await hl('forget', '--tags', 'temporary', '--dry-run')).stdout).toMatch(/Would forget 2 memories/);
    const done = await hl('forget', '--tags', 'temporary', '--reason', 'clean-up', '--yes');
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^forgotten: 2 memories/) });
    expect((await hl('search', 'temporary note')).stdout).toMatch(/^Nothing/);
  });

  it('are forgotten and restored by key, and only shown in a dry run', async () => {
    await hl('write', 'Standup is at nine', '--key', 'standup.time');
    expect((await hl('forget', '--key', 'standup.time', '--dry-run')).stdout).toMatch(
      /^Would forget 1 memory:\n {2}\S+ {2}Standup is at nine\n$/,
    );
    expect((await hl('search', 'standup')).stdout).toMatch(/Standup is at nine/);
    expect((await hl('forget', '--key', 'standup.time', '--reason', 'no more')).stdout).toMatch(/^forgotten: 1 memory/);
    expect((await hl('search', 'standup')).stdout).toMatch(/^Nothing/);
    expect((await hl('forget', '--key', 'standup.time', '--dry-run')).stdout).toBe('Would forget 0 memories.\n');
    expect((await hl('restore', '--key', 'standup.time', '--reason', 'again')).stdout).toMatch(/^restored: /);
    expect((await hl('search', 'standup')).stdout).toMatch(/Standup is at nine/);
  });

  it('are kept apart by bank', async () => {
    await hl('write', 'The vault code is kept by Ada', '--bank', 'one');
    await hl('write', 'The door code is kept by Grace', '--bank', 'two');
    expect((await hl('search', 'vault', '--bank', 'two')).stdout).toMatch(/^Nothing/);
    expect((await hl('search', 'vault code', '--bank', 'one')).stdout).toMatch(/Ada/);
    const banks = parsed<{ name: string }[]>(await hl('bank', 'list', '--json'));
    expect(banks.map(({ name }) => name)).toEqual(['default', 'one', 'two']);
    expect((await hl('bank', 'show', 'one')).stdout).toMatch(/^Bank one: 1 memory/);
    expect((await hl('bank', 'show', 'three')).code).toBe(2);
    const gone = await hl('bank', 'delete', 'two', '--reason', 'over', '--yes');
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringMatching(/^erased: the bank two, with its 1 memory/) });
    expect((await hl('search', 'door', '--bank', 'two')).code).toBe(2);
  });
});

describe('wrong usage', () => {
  const home = freshHome();
  it.each([
    [['serach', 'x'], /unknown command 'serach'\n\(Did you mean search\?\)/],
    [['search'], /missing required argument 'query'/],
    [['search', 'x', '--topk', '3'], /unknown option '--topk'\n\(Did you mean --top-k\?\)/],
    [['search', 'x', '--top-k', 'many'], /--top-k.*whole number/],
    [['search', 'x', '--kinds', 'dream'], /"dream" is none of working, episodic, semantic, experience/],
    [['search', 'x', '--valid-at', '2026-02-30'], /invalid_time: valid_at is "2026-02-30"/],
    [['write', 'x', '--metadata', '[]'], /Give a JSON object/],
    [['write', '{"a":', '--object'], /invalid_input: content is no JSON object/],
    [['write', 'x', '--importance', '2'], /from 0 to 1/],
    [['write', 'x', '--kind', 'dream'], /Allowed choices are working/],
    [['forget', '--reason', 'r'], /Name one memory by its id or by --key, or several by a filter/],
    [['forget', 'some-id', '--key', 'k', '--reason', 'r'], /Name one memory by its id or by --key/],
    [['forget', 'some-id'], /--reason is missing/],
    [['restore', 'no-such-id', '--reason', 'r'], /memory_not_found/],
    [['restore', '--reason', 'r'], /Name the memory by its id or by --key/],
    [['feedback', 'great', 'no-such-id'], /outcome is "great"/],
    [['feedback', 'useful'], /Name the memory by its id or by --key/],
    [['restore', '--key', 'no.such', '--reason', 'r'], /No memory of this bank has the key "no.such"/],
    [['history', 'no-such-id'], /memory_not_found/],
    [['import', '/no/such/file', '--format', 'jsonl'], /file_not_found: There is no file \/no\/such\/file/],
    [['import', entry], /--format is missing.* Accepted: turns, jsonl, server-memory/],
    [['migrate'], /--to is missing.* Accepted: esdb:\/\/…, .*folder of a home/],
    [['backup', 'create'], /missing required argument 'file-or-folder'[\s\S]*See --help\./],
    [['export', '--nope'], /unknown option '--nope'[\s\S]*See --help\./],
    [['stats', 'x', 'y'], /too many arguments[\s\S]*See --help\./],
    [['token', 'create', 'x', '--roles', 'king'], /"king" is none of reader/],
    [['token', 'revoke', 'nobody'], /nobody/],
    [['stats', '--log-level', 'loud'], /invalid_config: --log-level is "loud"/],
    [['--roles', 'king'], /invalid_config: --roles is "king"/],
    [['replay', '--projection', 'none'], /"none", the projections are/],
  ])('%j is exit code 2 and a line that says why', async (args, said) => {
    const { code, stdout, stderr } = await command(home, args);
    expect(stderr).toMatch(said);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('with --json is an error that programs can read', async () => {
    const answer = await command(home, ['search', 'x', '--valid-at', 'noon', '--json']);
    expect(answer.code).toBe(2);
    expect(parsed(answer)).toMatchObject({
      error: { code: 'invalid_time', message: expect.stringContaining('ISO 8601'), hint: expect.any(String) },
    });
  });

  it('a write that met another version stores nothing, says what to do, and is exit code 1', async () => {
    const home = freshHome();
    await command(home, ['write', 'on Thursdays', '--key', 'deploy.day']);
    await command(home, ['write', 'on Tuesdays', '--key', 'deploy.day', '--if-version', '1']);
    const late = ['write', 'on Mondays', '--key', 'deploy.day', '--if-version', '1'];
    const said = await command(home, late);
    expect(said.code).toBe(1);
    expect(said.stdout).toMatch(
      /^conflict: \S+, version 2\nNothing was stored\. .*Read it again \(hindsight-ledger history \S+\), then .* --if-version 2\.\n$/,
    );
    const json = await command(home, [...late, '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { status: 'conflict', version: 2 }]);
    const none = await command(home, ['write', 'x', '--key', 'no.such', '--if-version', '3']);
    expect([none.code, none.stdout]).toEqual([
      1,
      expect.stringMatching(/^conflict: \S+\nNothing was stored\. .*--if-version 0/),
    ]);
    const past = await command(home, ['history', '--key', 'deploy.day', '--valid-at', '2001-01-01']);
    expect([past.code, past.stdout]).toEqual([0, expect.stringContaining('No version was ever said to hold then')]);
  });

  it.each([[[]], [['search']], [['token', 'create']], [['import']]])(
    '--help of %j is on stdout with exit code 0',
    async (verbs) => {
      const { code, stdout } = await command(home, [...verbs, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: hindsight-ledger/);
      expect(stdout).toMatch(/--home <folder>/);
    },
  );
});

describe('import and export', () => {
  const samples = join(import.meta.dirname, '..', '..', 'samples', 'team.jsonl');

  it('double nothing, and carry a bank to another home', async () => {
    const [here, there] = [freshHome(), freshHome()];
    const first = parsed<{ stored: number; forgotten: number; failed: number }>(
      await command(here, ['import', samples, '--format', 'jsonl', '--json']),
    );
    expect(first).toMatchObject({ stored: 166, forgotten: 1, failed: 0 });
    const again = parsed(await command(here, ['import', samples, '--format', 'jsonl', '--json']));
    expect(again).toMatchObject({ stored: 0, failed: 0 });

    const file = join(there, 'bank.jsonl');
    expect((await command(here, ['export', '--out', file])).stdout).toMatch(/^167 lines written/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parsed(await command(there, ['import', file, '--format', 'jsonl', '--json']))).toMatchObject({
      stored: 166,
      forgotten: 1,
      failed: 0,
    });
    const ask = ['search', 'Which database does Lantern run on?', '--valid-at', '2026-10-05', '--top-k', '1', '--json'];
    type Found = { items: { content: string; valid_from: string; valid_to?: string; kind: string }[] };
    const [one, other] = [parsed<Found>(await command(here, ask)), parsed<Found>(await command(there, ask))];
    const [{ content, valid_from, valid_to, kind }] = one.items as [Found['items'][number]];
    expect(other.items).toMatchObject([{ content, valid_from, valid_to, kind }]);
    expect(content).toMatch(/MySQL/);
  });

  it('go on after a broken line, name it, and exit with 1', async () => {
    const home = freshHome();
    const file = join(home, 'lines.jsonl');
    writeFileSync(file, '{"id":"a","content":"alpha"}\nno json\n{"id":"c","content":"gamma"}\n');
    const done = await command(home, ['import', file, '--format', 'jsonl']);
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/3 records read: 2 stored, 1 failed\n {2}line 2: .*Each line is one JSON object/);
    writeFileSync(file, '{"id":"a","content":"alpha","colour":"red"}\n');
    const unknown = await command(home, ['import', file, '--format', 'jsonl']);
    expect(unknown.stdout).toMatch(/colour is no known parameter; the known ones .*idempotency_key/);
    expect(unknown.stdout).not.toContain('…');
  });

  it('that come to nothing leave no empty bank behind; the first record makes it', async () => {
    const home = freshHome();
    const file = join(home, 'lines.jsonl');
    writeFileSync(file, '{"note":"of another format"}\n');
    const into = ['--format', 'turns', '--bank', 'trial'];
    const names = async () =>
      parsed<{ name: string }[]>(await command(home, ['bank', 'list', '--json'])).map(({ name }) => name);
    expect(await command(home, ['import', join(home, 'none.jsonl'), ...into])).toMatchObject({ code: 2 });
    expect(await command(home, ['import', file, ...into])).toMatchObject({ code: 1 });
    expect(await names()).toEqual([]);
    writeFileSync(file, '{"note":"of another format"}\n{"id":"1","text":"Deploys go out on Thursdays"}\n');
    expect(await command(home, ['import', file, ...into])).toMatchObject({ code: 1 });
    expect(await names()).toEqual(['trial']);
    expect((await command(home, ['bank', 'show', 'trial'])).stdout).toMatch(/^Bank trial: 1 memory/);
  });

  it('stop at Ctrl-C with what was read stored, and go on when run again', async () => {
    const home = freshHome();
    const file = join(home, 'many.jsonl');
    const count = 20_000;
    const line = (at: number) => JSON.stringify({ id: `n${at}`, content: `note ${at} about retries and queues` });
    writeFileSync(file, Array.from({ length: count }, (_, at) => line(at)).join('\n'));
    const child = spawn(process.execPath, [entry, 'import', file, '--format', 'jsonl', '--json', '--home', home], {
      env: environment(),
    });
    const done = finished(child);
    await untilSized(join(home, 'ledger.db'), 300_000);
    child.kill('SIGINT');
    const { code, stdout } = await done;
    expect(code).toBe(130);
    const stopped = JSON.parse(stdout) as { stopped: boolean; stored: number };
    expect(stopped.stopped).toBe(true);
    expect(stopped.stored).toBeLessThan(count);
    const rest = parsed<{ stored: number; unchanged: number }>(
      await command(home, ['import', file, '--format', 'jsonl', '--json']),
    );
    expect(rest).toMatchObject({ stored: count - stopped.stored, unchanged: stopped.stored });
  });
});

describe('what looks after a home', () => {
  const home = freshHome();
  beforeAll(async () => {
    expect((await command(home, ['write', 'The gateway listens on 8443', '--key', 'gateway.port'])).code).toBe(0);
  });

  it('verify, replay and doctor find nothing wrong with a sound one', async () => {
    expect(await command(home, ['verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/every hash and chain is right/),
    });
    expect(await command(home, ['replay', '--check'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/same as before/),
    });
    expect((await command(home, ['doctor'])).code).toBe(0);
  });

  it('doctor names open doors, and --fix closes them', async () => {
    chmodSync(home, 0o755);
    chmodSync(join(home, 'master.key'), 0o644);
    const found = await command(home, ['doctor', '--json']);
    expect(found.code).toBe(1);
    const wrong = parsed<{ check: string; status: string }[]>(found).filter(({ status }) => status === 'wrong');
    expect(wrong.map(({ check }) => check)).toEqual(['home', 'master key']);
    expect((await command(home, ['doctor', '--fix'])).stdout).toMatch(/mended/);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'master.key')).mode & 0o777).toBe(0o600);
    expect((await command(home, ['doctor'])).code).toBe(0);
  });

  it('config says what is in force and where it came from', async () => {
    writeFileSync(join(home, 'config.json'), '{"recall_record": "strict", "colour": "blue"}');
    const { stdout, stderr } = await command(home, ['config', '--json'], {
      env: { HINDSIGHT_LEDGER_BANK: 'env-bank' },
    });
    const rows = JSON.parse(stdout) as { setting: string; value: unknown; from: string }[];
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ setting: 'home', value: home, from: 'flag --home' }),
        expect.objectContaining({ setting: 'bank', value: 'env-bank', from: 'environment HINDSIGHT_LEDGER_BANK' }),
        expect.objectContaining({ setting: 'recall_record', value: 'strict', from: 'config.json' }),
        expect.objectContaining({ setting: 'http_port', from: 'default' }),
      ]),
    );
    expect(stderr).toMatch(/"colour", but there is no such setting/);
  });

  it('a home of a newer release is left alone', async () => {
    const newer = freshHome();
    await command(newer, ['write', 'x']);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(join(newer, 'ledger.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    const refused = await command(newer, ['search', 'x']);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^newer_format: .*format 99/) });
    expect((await command(newer, ['doctor'])).stdout).toMatch(/format 99/);
  });

  it('a home that is a file is refused by name', async () => {
    const file = join(freshHome(), 'file');
    writeFileSync(file, '');
    expect(await command(file, ['stats'])).toMatchObject({ code: 2, stderr: expect.stringContaining(file) });
  });
});

describe('output', () => {
  it('ends quietly when its reader goes', async () => {
    const home = freshHome();
    const file = join(home, 'long.jsonl');
    const content = 'long '.repeat(10_000);
    writeFileSync(
      file,
      Array.from({ length: 40 }, (_, at) => JSON.stringify({ id: `${at}`, content: `${at} ${content}` })).join('\n'),
    );
    await command(home, ['import', file, '--format', 'jsonl']);
    const child = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${entry}" export --home "${home}" | head -c 100 >/dev/null`],
      { env: environment() },
    );
    const { code, stderr } = await finished(child);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('shows control characters of content instead of sending them to the terminal', async () => {
    const home = freshHome();
    await command(home, ['write', '-'], { input: 'escape \u001b[31mred\u001b[0m sequence' });
    const { stdout } = await command(home, ['search', 'escape sequence']);
    expect(stdout).toContain('escape \\u001b[31mred');
    expect(stdout).not.toContain('\u001b[31m');
  });
});

function finished(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** Until a file has so many bytes, its write-ahead log included. */
async function untilSized(path: string, bytes: number): Promise<void> {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  while (size(path) + size(`${path}-wal`) < bytes) await new Promise((resolve) => setTimeout(resolve, 20));
}
