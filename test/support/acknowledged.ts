import { expect } from 'vitest';
import { command } from './command.js';

/** One line of `export` per memory, as far as these tests read it. */
interface Exported {
  readonly content: string;
}

/**
 * Every acknowledged text stands in the ledger exactly once, as a fresh process exports it, and hashes and chains verify.
 * Texts that were sent but never acknowledged may be there or not, but not twice.
 */
export async function expectAllThereOnce(home: string, acknowledged: ReadonlySet<string>): Promise<void> {
  const exported = await command(home, ['export']);
  expect(exported.code, exported.stderr).toBe(0);
  const seen = new Map<string, number>();
  for (const line of exported.stdout.split('\n').filter(Boolean)) {
    const { content } = JSON.parse(line) as Exported;
    seen.set(content, (seen.get(content) ?? 0) + 1);
  }
  expect([...acknowledged].filter((text) => !seen.has(text))).toEqual([]);
  expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
  const verified = await command(home, ['verify']);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
}
