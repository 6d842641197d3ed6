import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import type { QueryPort } from '#contract/query-port.js';
import { createQueries } from '#query/create-queries.js';
import { type Embedded, openEmbedded } from '../../services/cli/embedded/open-embedded.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';
import { readyEmbedder } from './ready-embedder.js';
import { recallTexts } from './recall-texts.js';

const silent = plainLog('silent', () => undefined);
/** Items of one command. */
const batch = 500;
const sessions = 100;

/** A home in a temporary folder with one bank that grows, whose vectors are ready-made. */
export interface RecallHome {
  readonly embedded: Embedded;
  /** Writes, projects and embeds until there are so many memories. @returns seconds that writing and embedding took */
  fill(memories: number): Promise<{ writing: number; embedding: number }>;
  /** One more memory, projected and embedded. */
  writeOne(): Promise<void>;
  /** Questions as the product answers them; or without an embedder, so by keywords. */
  queries(by: 'all legs' | 'without vectors'): QueryPort;
  /** The texts of the first so many memories, as they were written. */
  texts(memories: number): string[];
  /** Closes and opens it again, so that nothing is in memory. */
  reopen(): Promise<void>;
  remove(): Promise<void>;
}

export async function recallHome(): Promise<RecallHome> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  const open = () => openEmbedded({ config, log: silent, embeds: true, embedder: readyEmbedder() });
  let embedded = await open();
  const text = recallTexts(7);
  let written = 0;
  return {
    get embedded() {
      return embedded;
    },
    async fill(memories) {
      const began = performance.now();
      while (written < memories) {
        const items = Array.from({ length: Math.min(batch, memories - written) }, (_, at) => ({
          content: text.next(),
          session_id: `s${(written + at) % sessions}`,
        }));
        await embedded.commands.write({ items }, embedded.caller('bench'));
        await embedded.projector.catchUp();
        written += items.length;
      }
      const writing = (performance.now() - began) / 1000;
      await embedded.embedding?.untilDone();
      return { writing, embedding: (performance.now() - began) / 1000 - writing };
    },
    async writeOne() {
      await embedded.commands.write({ content: text.next() }, embedded.caller('bench'));
      written++;
      await embedded.projector.catchUp();
      await embedded.embedding?.untilDone();
    },
    queries: (by) => (by === 'all legs' ? embedded.queries : withoutVectors(embedded)),
    texts(memories) {
      const again = recallTexts(7);
      return Array.from({ length: memories }, () => again.next());
    },
    async reopen() {
      await embedded.close();
      embedded = await open();
    },
    async remove() {
      await embedded.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What openEmbedded makes, but without an embedder: keywords answer, and recalls go on record all the same. */
function withoutVectors(embedded: Embedded): QueryPort {
  const { ledger, vault, views, projector, commands, sources } = embedded;
  return createQueries({
    ledger,
    vault,
    sources,
    reader: () => views.reader(),
    viewsStamp: () => views.stamp(),
    async catchUp() {
      await projector.catchUp();
      return undefined;
    },
    projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
    recallMode: 'relaxed',
    recordRecall: (recall, caller, durable) => commands.recordRecall(recall, caller, durable),
    recordAudit: (read, caller) => commands.recordAudit(read, caller),
    storeSizes: async () => ({}),
    onRecordingFailed(error) {
      throw error;
    },
  });
}
