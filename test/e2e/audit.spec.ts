import { afterAll, describe, expect, it } from 'vitest';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

describe('audits by the command', () => {
  const { path: home, remove } = temporaryHome();
  afterAll(remove);
  const hl = (...args: string[]) => command(home, args);
  const write = (content: string, ...more: string[]) => hl('write', content, ...more);

  it('print a state as a table, as JSON lines and as CSV, to the last row and page by page', async () => {
    for (const [at, name] of ['Ada', 'Grace', 'Edith'].entries())
      await write(`${name} keeps gate "${at}", as ever`, '--key', `gate.${at}`, '--valid-from', '2026-01-01');
    const table = await hl('audit', 'state');
    expect(table.code, table.stderr).toBe(0);
    expect(table.stdout.trim().split('\n')).toHaveLength(4);
    expect(table.stderr).toMatch(/^3 rows; basis b1\./);
    const lines = (await hl('audit', 'state', '--format', 'jsonl')).stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { key: string }).key)).toEqual(['gate.0', 'gate.1', 'gate.2']);
    const csv = await hl('audit', 'state', '--format', 'csv', '--key', 'gate.1');
    expect(csv.stdout).toMatch(
      /^key,status,valid_from,.*\ngate\.1,current,2026-01-01T00:00:00\.000Z,.*,"Grace keeps gate ""1"", as ever"\n$/,
    );
    const first = await hl('audit', 'state', '--limit', '2');
    const cursor = /--cursor (\S+)/.exec(first.stderr)![1]!;
    const rest = await hl('audit', 'state', '--cursor', cursor, '--format', 'jsonl');
    expect(
      rest.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { key: string }).key),
    ).toEqual(['gate.2']);
    const whole = JSON.parse((await hl('audit', 'state', '--json')).stdout) as { rows: unknown[]; next?: string };
    expect([whole.rows.length, whole.next]).toEqual([3, undefined]);
  });

  it('say what was shown, and are themselves on record', async () => {
    await write('Grace swaps gate 1 with Ada', '--session-id', 's-1');
    await hl('search', 'who keeps gate 1?', '--session-id', 's-1');
    const shown = await hl('audit', 'shown', '--session-id', 's-1', '--format', 'jsonl');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      query: 'who keeps gate 1?',
      tool: 'search',
      shown: [{ version: 1, content: 'Grace swaps gate 1 with Ada', status: 'current' }],
    });
    const before = JSON.parse((await hl('verify', '--json')).stdout) as { events: number };
    await hl('audit', 'who', '--limit', '1');
    const after = JSON.parse((await hl('verify', '--json')).stdout) as { events: number };
    expect(after.events).toBeGreaterThan(before.events);
  });

  it.each([
    [['audit', 'state', '--as-of', '2999-01-01'], /invalid_time.*in the future/],
    [['audit', 'everything'], /ask is "everything"/],
    [['audit', 'diff'], /from is missing/],
    [['audit', 'state', '--from', '2026-01-01', '--by', '3d'], /state takes no from: it is for diff, shown, who/],
    [['audit', 'state', 'extra', 'words'], /takes no words.*"extra words"/],
    [['audit', 'belief', 'x'], /at is missing/],
    [['audit', 'who', '--limit', '0'], /limit is 0/],
    [['audit', 'retroactive', '--by', 'soon'], /by is "soon"/],
    [['audit', 'state', '--include', 'nothing'], /"nothing" is none of/],
    [['audit', 'state', '--format', 'xml'], /table, jsonl, csv/],
  ])('%j is wrong usage, and says how', async (args, sentence) => {
    const { code, stderr } = await hl(...args);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(2);
  });
});
