import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import type { SearchInput } from '#contract/search.js';
import { createProjector } from '#projector/create-projector.js';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { createQueries } from '#query/create-queries.js';
import type { QueryDeps } from '#query/query-deps.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { type QueryLogin, queryLogin } from '#views/postgres/testing/query-login.js';
import { type Embedded, openEmbedded } from '../services/cli/embedded/open-embedded.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { memoryInUse } from './load/memory-in-use.js';
import { ownFullText } from './load/own-full-text.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { readyEmbedder } from './load/ready-embedder.js';
import { sentences } from './load/sentences.js';
import { withEngines } from './load/with-engines.js';

interface Measured {
  readonly memories: number;
  /** Memories per second, from the ledger into empty tables. */
  readonly rebuilt: number;
  /** Milliseconds of the first search, with all that it loads. */
  readonly first: number;
  readonly search: Percentiles;
  /** The same with all legs, over ready-made vectors: seconds that it took to put them, the first search, and those after it. */
  readonly embedding: number;
  readonly firstWithVectors: number;
  readonly withVectors: Percentiles;
  /** Milliseconds of this process's processor a search. */
  readonly processor: { readonly keywords: number; readonly vectors: number };
  /** Each after a write of another memory, which was projected before. */
  readonly afterWrite: Percentiles;
  /** Of one session among a hundred. */
  readonly filtered: Percentiles;
  readonly history: Percentiles;
  /** PostgreSQL's own full text search over the plain texts, in the same database. */
  readonly own: Percentiles;
  /** MB that the first searches left in use, and all that this process has in memory. */
  readonly indexMb: number;
  readonly residentMb: number;
  readonly load: number;
}

const usualQuestions = 1000;
const silent = plainLog('silent', () => undefined);

/**
 * Search of one bank inside a process, by keywords and with ready-made vectors, over PostgreSQL as the role that only reads; beside
 * PostgreSQL's own over the same texts.
 */
export default async function run(
  options: {
    json?: boolean;
    full?: boolean;
    /** Memories, by commas and ascending. */
    sizes?: string;
    /** Questions of each kind. */
    limit?: string;
  } = {},
): Promise<void> {
  const sizes = options.sizes?.split(',').map(Number) ?? (options.full ? [1_000, 10_000, 100_000] : [1_000, 10_000]);
  const questions = Number(options.limit ?? usualQuestions);
  const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const { config } = loadConfig({ flags: { home }, env: {} });
  const embedded = await openEmbedded({ config, log: silent });
  const results: Measured[] = [];
  let filled = 0;
  const texts: string[] = [];
  await withEngines(['postgres'], async () => {
    for (const size of sizes) {
      texts.push(...(await fill(embedded, filled, size)));
      const database = await freshDatabase();
      const { measured, written } = await measure(embedded, database, { memories: size, texts, questions });
      await database.drop();
      filled = size + written;
      results.push(measured);
      if (!options.json) report(measured);
    }
  });
  await embedded.close();
  rmSync(home, { recursive: true, force: true });
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

/** @returns what was written */
async function fill({ commands, caller }: Embedded, from: number, to: number): Promise<string[]> {
  const text = sentences(from + 7);
  const texts: string[] = [];
  for (let done = from; done < to; done += 500) {
    const items = Array.from({ length: Math.min(500, to - done) }, (_, at) => ({
      content: text.next(),
      session_id: `s${(done + at) % 100}`,
    }));
    await commands.write({ items }, caller('bench'));
    texts.push(...items.map(({ content }) => content));
  }
  return texts;
}

async function measure(
  embedded: Embedded,
  database: TestDatabase,
  { memories, texts, questions }: { readonly memories: number; readonly texts: string[]; readonly questions: number },
): Promise<{ measured: Measured; written: number }> {
  const { ledger, vault, sources, commands } = embedded;
  const caller = embedded.caller('bench');
  const options = { ledger: ledger.id, shapes: allProjections, partitions: 8, log: silent };
  const owned = await openPostgresViews(database.url, { ...options, role: 'projector' });
  const projector = createProjector({ ledger, vault, views: owned, log: silent });
  const began = performance.now();
  await projector.catchUp();
  const rebuilt = (memories / (performance.now() - began)) * 1000;
  const login: QueryLogin = await queryLogin(database);
  const views = await openPostgresViews(login.url, { ...options, role: 'query' });
  const embedder = readyEmbedder();
  const queriesBy = (by: Pick<QueryDeps, 'embedder'>) =>
    createQueries({
      ledger,
      vault,
      sources,
      ...by,
      reader: () => views.reader(),
      viewsStamp: () => views.stamp(),
      catchUp: async () => undefined,
      recordRecall: async () => undefined,
      recordAudit: async () => undefined,
      recallMode: 'relaxed',
      projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
      storeSizes: async () => ({}),
      onRecordingFailed: () => undefined,
    });
  const queries = queriesBy({});
  const text = sentences(memories + 1);
  const memoryBefore = memoryInUse();
  const search = (more: Partial<SearchInput> = {}) => queries.search({ query: text.question(), ...more }, caller);
  const [first] = await timed(1, () => search());
  await timed(200, () => search());
  const indexMb = memoryInUse() - memoryBefore;
  const used = process.cpuUsage();
  const plain = await timed(questions, () => search());
  const keywords = processorSince(used) / questions;
  const written = 200;
  const afterWrite: number[] = [];
  const ids: string[] = [];
  for (let at = 0; at < written; at++) {
    const content = text.next();
    texts.push(content);
    const answer = await commands.write({ content }, caller);
    ids.push(answer.memory_id!);
    await projector.catchUp();
    afterWrite.push(...(await timed(1, () => search())));
  }
  const filtered = await timed(questions, () => search({ session_id: 's7' }));
  let next = 0;
  const history = await timed(ids.length, () => queries.history({ memory_id: ids[next++]! }, caller));
  const embeddingBegan = performance.now();
  await createEmbedding({ ledger, vault, views: owned, embedder, log: silent }).untilDone();
  const embedding = (performance.now() - embeddingBegan) / 1000;
  const withEmbedder = queriesBy({ embedder });
  const askAll = () => withEmbedder.search({ query: text.question() }, caller);
  const [firstWithVectors] = await timed(1, askAll);
  await timed(200, askAll);
  const usedBefore = process.cpuUsage();
  const withVectors = await timed(questions, askAll);
  const vectors = processorSince(usedBefore) / questions;
  const residentMb = process.memoryUsage().rss / 1e6;
  const own = await ownFullText(database, texts, questions, () => text.question());
  await projector.close();
  await views.close();
  await owned.close();
  await login.drop();
  return {
    written,
    measured: {
      memories,
      rebuilt,
      first: first!,
      search: percentiles(plain),
      embedding,
      firstWithVectors: firstWithVectors!,
      withVectors: percentiles(withVectors),
      processor: { keywords, vectors },
      afterWrite: percentiles(afterWrite),
      filtered: percentiles(filtered),
      history: percentiles(history),
      own,
      indexMb,
      residentMb,
      load: loadavg()[0]!,
    },
  };
}

async function timed(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

/** Milliseconds. */
function processorSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function report(measured: Measured): void {
  const line = (name: string, times: Percentiles, used?: number) =>
    `          ${name.padEnd(22)} ${inMilliseconds(times)}${used === undefined ? '' : `, ${used.toFixed(2)} ms of processor each`}\n`;
  process.stdout.write(
    `${String(measured.memories).padStart(7)} memories; into empty tables ${measured.rebuilt.toFixed(0)} a second; first search with loading ${measured.first.toFixed(1)} ms; ${measured.indexMb.toFixed(1)} MB more in use after 201 searches, ${measured.residentMb.toFixed(0)} MB resident; load ${measured.load.toFixed(1)}\n` +
      line('by keywords', measured.search, measured.processor.keywords) +
      line('with vectors', measured.withVectors, measured.processor.vectors) +
      `          vectors put in ${measured.embedding.toFixed(1)} s; first search with loading them ${measured.firstWithVectors.toFixed(1)} ms\n` +
      line('each after a write', measured.afterWrite) +
      line('of one session', measured.filtered) +
      line('history of a memory', measured.history) +
      line('tsvector, GIN, ts_rank', measured.own),
  );
}
