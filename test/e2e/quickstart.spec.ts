import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'quickstart.mjs');
let sections: ReadonlyMap<string, string>;
let output: string;

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--built']);
  output = stdout;
  sections = new Map(
    stdout.split(/\n(?=[^\n]* ─{3,})/).map((part) => [/^\n?(.*?) ─{3,}/.exec(part)?.[1] ?? '', part] as const),
  );
});

it.each([
  ['What is true now', /PostgreSQL 16/],
  ['What was true on an earlier day', /MySQL 8\.0/],
  ['How that came to be', /recorded, version 1.*MySQL.*revised, version 2.*PostgreSQL/s],
  ['What we know today about 21 October', /50 requests per second/],
  ['What was believed before the correction came in', /100 requests per second/],
  ['A question in Chinese', /赵磊/],
  ['A question that nothing answers', /Nothing relevant is remembered/],
  ['An agent’s own memory, from first to last', /recorded → revised → forgotten/],
])('%s is answered', (title, answer) => {
  expect(sections.get(title)).toMatch(answer);
});

it('ends with what to paste into each client', () => {
  expect(output).toContain('claude mcp add hindsight-ledger -- npx -y hindsight-ledger');
  const [cursor, code] = [...output.matchAll(/^ {2}\{\n.*?\n {2}\}$/gms)].map(([text]) => JSON.parse(text) as unknown);
  const server = { command: 'npx', args: ['-y', 'hindsight-ledger'] };
  expect(cursor).toEqual({ mcpServers: { 'hindsight-ledger': server } });
  expect(code).toEqual({ servers: { 'hindsight-ledger': { type: 'stdio', ...server } } });
  expect(output).toMatch(/\[mcp_servers\.hindsight-ledger\]\n *command = "npx"\n *args = \["-y", "hindsight-ledger"\]/);
});

it('is plain text where there is no terminal', () => {
  expect(output).not.toContain('\u001b');
});
