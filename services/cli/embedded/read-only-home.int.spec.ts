import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { borrowedViews } from './read-only-home.js';

describe('the views of a home that cannot be written', () => {
  const home = mkdtempSync(join(tmpdir(), 'hl-read-only-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  // Root may write any file, so that only the mode tells.
  it('are borrowed as files that can be written, whatever the mode of those in the home', () => {
    const views = join(home, 'views.db');
    for (const suffix of ['', '-wal']) {
      writeFileSync(views + suffix, `views${suffix}`);
      chmodSync(views + suffix, 0o400);
    }
    const { path, giveBack } = borrowedViews(views);
    for (const suffix of ['', '-wal']) {
      expect(readFileSync(path + suffix, 'utf8')).toBe(`views${suffix}`);
      expect(statSync(path + suffix).mode & 0o600).toBe(0o600);
    }
    giveBack();
    expect(existsSync(path)).toBe(false);
  });
});
