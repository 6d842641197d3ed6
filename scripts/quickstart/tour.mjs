import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { clientConfigs } from './client-configs.mjs';
import { bold, dim, heading, renderAnswer, wrapped } from './render.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const command = join(root, 'dist', 'bundle', 'main.js');
const sample = (file) => join(root, 'samples', file);
/** Milliseconds; keywords answer where it takes longer, and the answer says so. */
const longestLoading = 20_000;
const say = (text = '') => process.stdout.write(`${text}\n`);

/** The main job on the embedded default, in a home that is thrown away afterwards. */
export async function tour({ started }) {
  const home = mkdtempSync(join(tmpdir(), 'hindsight-ledger-quickstart-'));
  try {
    const importing = (file) => importSample(home, file);
    process.stderr.write('Importing a sample, and embedding it with the model that ships … ');
    const began = Date.now();
    const summary = await importing('team.jsonl');
    process.stderr.write(`${((Date.now() - began) / 1000).toFixed(0)} s\n`);
    say(heading('Seven weeks of a team'));
    say(
      wrapped(
        `samples/team.jsonl is imported into a home that is deleted at the end: ${summary.stored} records are stored, and ${summary.forgotten} asks to forget an earlier one.`,
      ),
    );
    say(dim(wrapped('Then the server runs over stdio, and an MCP client asks it. Times are the team’s, UTC+8.')));

    const client = await connect(home);
    await modelLoaded(client);
    await askAll(client, () => importing('team-correction.jsonl'));
    await liveMemory(client);
    await client.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  say(heading('Give it to your agent'));
  for (const { client, where, text } of clientConfigs()) {
    say(`${bold(client)} ${dim(`(${where})`)}`);
    say(`${text.replace(/^/gm, '  ')}\n`);
  }
  say(bold('From this clone, without a release'));
  say(`  claude mcp add hindsight-ledger -- node ${command}`);
  say(`  and elsewhere "command": "node", "args": ["${command}"]\n`);
  say(wrapped('With --bank auto behind it, each git repository has a memory of its own.'));
  say(dim(`Done in ${((Date.now() - started) / 1000).toFixed(0)} s.`));
}

async function importSample(home, file) {
  const args = [command, 'import', sample(file), '--format', 'jsonl', '--home', home, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

async function connect(home) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, '--home', home, '--bank', 'default', '--log-level', 'warn'],
    stderr: 'inherit',
  });
  const client = new Client({ name: 'quickstart', version: '1' });
  await client.connect(transport);
  return client;
}

async function call(client, name, args) {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${content[0]?.text}`);
  return structuredContent;
}

/** A server loads its model after its first answer. The tour waits for it, so that each of its answers comes about in the same way. */
async function modelLoaded(client) {
  await call(client, 'memory_search', { query: 'Lantern', top_k: 1 });
  for (const until = Date.now() + longestLoading; Date.now() < until; await sleep(50)) {
    const { vectors } = await call(client, 'memory_stats', {});
    if (!vectors || vectors.state === 'ready' || vectors.state === 'failed') return;
  }
}

/** The sample's questions. The correction comes in, by another process, before the first one that is about it. */
async function askAll(client, importCorrection) {
  const questions = JSON.parse(readFileSync(sample('questions.json'), 'utf8'));
  const looksBack = questions.findIndex(({ arguments: { basis } }) => basis === '$before_correction');
  let before;
  for (const [at, { title, tool, arguments: args, note }] of questions.entries()) {
    if (at === looksBack - 1) {
      await importCorrection();
      say(
        `\n${dim(wrapped('… Meanwhile another process imports samples/team-correction.jsonl: something was different than the team thought.'))}`,
      );
    }
    const asked = args.basis ? { ...args, basis: before } : args;
    const answer = await call(client, tool, asked);
    // Of a search: it carries with which vectors it was answered, which that of a history does not.
    if (at < looksBack - 1 && tool === 'memory_search') before = answer.basis;
    say(heading(title));
    say(`${dim('›')} ${tool} ${bold(args.query ?? args.key)}${dim(conditions(args))}`);
    say(renderAnswer(tool, answer));
    say(dim(wrapped(note)));
  }
}

function conditions({ valid_at, basis, kinds }) {
  return [
    ...(valid_at ? [`  valid_at ${valid_at}`] : []),
    ...(basis ? ['  basis: that of an earlier answer'] : []),
    ...(kinds ? [`  kinds ${kinds.join(', ')}`] : []),
  ].join('');
}

/** What an agent does with a memory of its own: write, recall, correct, forget, look back. */
async function liveMemory(client) {
  const key = 'staging.key-rotation';
  const query = 'When does the staging key rotate?';
  say(heading('An agent’s own memory, from first to last'));
  const step = async (tool, args, said) =>
    say(`${dim('›')} ${tool.padEnd(15)} ${said(await call(client, tool, args))}`);
  const stored = ({ status, version }) => `${status}, version ${version}`;
  const found = ({ items }) => (items.length > 0 ? bold(items[0].content) : 'nothing: it is forgotten');
  await step('memory_write', { key, content: 'The staging key rotates every Monday.' }, stored);
  await step('memory_search', { query, top_k: 1 }, found);
  await step('memory_write', { key, content: 'The staging key rotates every second Monday.' }, stored);
  await step('memory_search', { query, top_k: 1 }, found);
  const { memory_id } = await call(client, 'memory_history', { key });
  await step('memory_forget', { memory_id, reason: 'It was only an example.' }, ({ status }) => status);
  await step('memory_search', { query, top_k: 1, min_score: 0.5 }, found);
  await step('memory_history', { key }, ({ entries }) => entries.map(({ event }) => event).join(' → '));
}
