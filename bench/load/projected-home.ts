import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import { createProjector, type Projector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { homePreparing } from '../../services/cli/embedded/home-preparing.js';
import { openEmbedded } from '../../services/cli/embedded/open-embedded.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';
import { sentences } from './sentences.js';

const silent = plainLog('silent', () => undefined);

/** A home whose ledger is written through the commands, with views of its own that only the bench projects. */
export interface ProjectedHome {
  readonly folder: string;
  readonly ledgerHead: () => Promise<string | undefined>;
  /** Memories written so far. */
  fill(upTo: number): Promise<void>;
  writeOne(): Promise<void>;
  openViews(file: string): Promise<{ views: Views; projector: Projector; path: string; close(): Promise<void> }>;
  remove(): Promise<void>;
}

export async function projectedHome(): Promise<ProjectedHome> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-project-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  const { ledger, vault, commands, caller, paths, close } = await openEmbedded({ config, log: silent });
  const opens = { ledger: paths.ledger, keysDb: paths.keys, masterKeyFile: config.masterKeyFile };
  const text = sentences(7);
  let written = 0;
  return {
    folder,
    ledgerHead: () => ledger.head(),
    async fill(upTo) {
      while (written < upTo) {
        const items = Array.from({ length: Math.min(500, upTo - written) }, () => ({ content: text.next() }));
        await commands.write({ items }, caller('bench'));
        written += items.length;
      }
    },
    async writeOne() {
      await commands.write({ content: text.next() }, caller('bench'));
      written++;
    },
    async openViews(file) {
      const path = join(folder, file);
      const views = await openSqliteViews(path, { ledger: ledger.id, shapes: allProjections, log: silent });
      const prepareAhead = homePreparing({ ...opens, views: path });
      const projector = createProjector({ ledger, views, vault, log: silent, prepareAhead });
      return {
        views,
        projector,
        path,
        async close() {
          await projector.close();
          await views.close();
        },
      };
    },
    async remove() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
