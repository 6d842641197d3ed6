import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

/**
 * Commands shown in docs are run: every line of an `sh` block that calls hindsight-ledger, in order, one home per page; and lines like
 * `sleep 1; BEFORE=$(date -u +%FT%TZ)`, which keep a time that later ones name. With the model that ships, as who reads them runs them.
 * What they write to /tmp goes to a folder of the page's own: files that are there are left alone, so a second run would be refused.
 */
const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

const keepsTime = /^(?:sleep (\d+); )?([A-Z]+)=\$\(date -u \+%FT%TZ\)$/;

function commandsOf(page: string): string[][] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap((block) => (block[1] ?? '').split('\n'))
    .filter((line) => line.startsWith('hindsight-ledger ') || keepsTime.test(line))
    .map((line) =>
      keepsTime.test(line)
        ? [line]
        : [...line.replace(/\s+#.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
            .map((word) => word[1] ?? word[2] ?? word[3] ?? '')
            .slice(1),
    );
}

describe.each(pages.map((page) => [page, commandsOf(page)] as const).filter(([, commands]) => commands.length > 0))(
  '%s',
  (page, commands) => {
    const home = temporaryHome();
    const files = temporaryHome();
    afterAll(() => {
      home.remove();
      files.remove();
    });

    const times = new Map<string, string>();
    let hasErased = false;

    it.each(commands.map((words) => [words.join(' '), words] as const))('hindsight-ledger %s', async (line, words) => {
      const [, seconds, name] = keepsTime.exec(line) ?? [];
      if (name !== undefined) {
        await sleep(Number(seconds ?? 0) * 1000);
        times.set(name, `${new Date().toISOString().slice(0, 19)}Z`);
        return;
      }
      const given = words.map((word) =>
        word.startsWith('$') ? (times.get(word.slice(1)) ?? word) : word.replace(/^\/tmp\//, `${files.path}/`),
      );
      const done = await command(home.path, given, { env: { HINDSIGHT_LEDGER_EMBEDDINGS: 'e5' } });
      expect(done.code, `${page}: ${done.stderr}`).toBe(0);
      hasErased ||= given[0] === 'erase';
      // What a page looks for it finds, unless it is there to show that it is gone.
      if (given[0] === 'search' && !hasErased) expect(done.stdout).not.toMatch(/^Nothing/);
    });
  },
);
