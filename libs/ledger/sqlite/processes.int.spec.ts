import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';
import { verifyLedger } from '../verify-ledger.js';
import { gapsIn } from './gaps.js';
import { openSqliteLedger } from './sqlite-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-processes-'));
let program: string;

beforeAll(async () => {
  program = await bundledProgram(new URL('./testing/writer.ts', import.meta.url));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a writer; killed after `killAfter` milliseconds from its first acknowledgement on. */
async function writer(path: string, options: { events?: number; killAfter?: number }): Promise<string[]> {
  const child = spawn(process.execPath, [program, path, ...(options.events ? [String(options.events)] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (!told && options.killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), options.killAfter);
    told += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  // A line that was cut by the kill was not acknowledged.
  return told.split('\n').slice(0, -1);
}

async function idsIn(path: string): Promise<string[]> {
  const ledger = await openSqliteLedger(path);
  const ids: string[] = [];
  for await (const event of ledger.readAll()) ids.push(event.id);
  expect(await verifyLedger(ledger, { gapBetween: gapsIn(path) })).toMatchObject({ broken: [], missing: [] });
  await ledger.close();
  return ids;
}

it('loses nothing and doubles nothing of eight processes that start on a new file at once', async () => {
  const path = join(folder, 'eight.db');
  const told = await Promise.all(Array.from({ length: 8 }, () => writer(path, { events: 25 })));
  expect(told.map((each) => each.length)).toEqual(Array(8).fill(50));
  expect((await idsIn(path)).toSorted()).toEqual(told.flat().toSorted());
});

it('keeps every acknowledged event of a writer that is killed, ten times, beside one that goes on', async () => {
  const path = join(folder, 'killed.db');
  const steady = writer(path, { events: 150 });
  const acknowledged: string[] = [];
  for (let kill = 0; kill < 10; kill += 1) {
    acknowledged.push(...(await writer(path, { killAfter: Math.random() * 60 })));
  }
  acknowledged.push(...(await steady));
  const ids = new Set(await idsIn(path));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(310);
});
