import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Material } from './material.js';

/** The built product. */
export const entry = join(import.meta.dirname, '..', '..', '..', 'bundle', 'main.js');

export interface PreparedHome {
  readonly home: string;
  /** Seconds until all could be found by keywords, and from then until all was embedded; 0 where a cached home is used again. */
  readonly seconds: { readonly importing: number; readonly embedding: number };
  /** Removes it, unless it is kept. */
  leave(): void;
}

/**
 * A home with a set imported, each bank named by `conv_id`.
 * @param cache a folder in which it is kept for a later run with the same memories; its views follow the product by themselves
 * @throws Error when the import fails or leaves a line out
 */
export async function prepareHome(name: string, { format, lines }: Material, cache?: string): Promise<PreparedHome> {
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const of = createHash('sha256').update(`${format}\n${text}`).digest('hex').slice(0, 12);
  const folder = cache ? join(cache, `${name}-${of}`) : mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const home = join(folder, 'home');
  const whole = join(folder, 'imported');
  const leave = () => (cache ? undefined : rmSync(folder, { recursive: true, force: true }));
  if (existsSync(whole)) return { home, seconds: { importing: 0, embedding: 0 }, leave };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'memories.jsonl');
  const args = ['import', file, '--format', format, '--bank-from', 'conv_id', '--home', home, '--json'];
  const seconds = { importing: 0, embedding: 0 };
  try {
    const stream = createWriteStream(file);
    stream.end(text);
    await once(stream, 'close');
    seconds.importing = await importFile(args, { HINDSIGHT_LEDGER_EMBEDDINGS: 'none' });
    // The same lines again store nothing; at its end, an import embeds what has no vector yet.
    seconds.embedding = await importFile(args, {});
  } catch (error) {
    leave();
    throw error;
  } finally {
    rmSync(file, { force: true });
  }
  writeFileSync(whole, new Date().toISOString());
  return { home, seconds, leave };
}

/** @returns seconds */
async function importFile(args: readonly string[], env: Record<string, string>): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env } as NodeJS.ProcessEnv,
  });
  let said = '';
  const keep = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`import failed (${code}): ${said}`);
  return (performance.now() - began) / 1000;
}
