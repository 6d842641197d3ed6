import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

/** Commands shown in docs are run: every line of an `sh` block that calls hindsight-ledger, in order, one home per page. */
const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

function commandsOf(page: string): string[][] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap((block) => (block[1] ?? '').split('\n'))
    .filter((line) => line.startsWith('hindsight-ledger '))
    .map((line) =>
      [...line.replace(/\s+#.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
        .map((word) => word[1] ?? word[2] ?? word[3] ?? '')
        .slice(1),
    );
}

describe.each(pages.map((page) => [page, commandsOf(page)] as const).filter(([, commands]) => commands.length > 0))(
  '%s',
  (page, commands) => {
    const home = temporaryHome();
    afterAll(() => home.remove());

    it.each(commands.map((words) => [words.join(' '), words] as const))('hindsight-ledger %s', async (_line, words) => {
      const done = await command(home.path, words);
      expect(done.code, `${page}: ${done.stderr}`).toBe(0);
    });
  },
);
