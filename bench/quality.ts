import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { naiveBm25 } from './load/naive-bm25.js';
import { connect } from './load/stdio-client.js';

const entry = join(import.meta.dirname, '..', '..', 'bundle', 'main.js');
const sets = ['locomo', 'beam_100k', 'longmemeval', 'zh_kdconv', 'zh_rgb'];
const asked = 10;
/** Of answers by session this many memories are looked through for ten sessions. */
const askedForSessions = 100;

interface Record_ {
  readonly id: string;
  readonly conv_id: string;
  readonly session_id?: string | null;
  readonly speaker?: string | null;
  readonly text: string;
}

interface Question {
  readonly conv_id: string;
  readonly text: string;
  readonly relevant_ids?: readonly string[];
  readonly relevant_session_ids?: readonly string[];
}

/** Ids of what was found, best first. */
export interface Found {
  readonly id: string;
  readonly session?: string;
}
export type Search = (question: string, limit: number) => Promise<Found[]>;

export interface Quality {
  readonly questions: number;
  /** Share of what is relevant that is among the first five, and ten. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  /** Share of questions whose first answer is relevant. */
  readonly hitAt1: number;
  /** Questions that nothing was found for. */
  readonly empty: number;
}

/**
 * Imports public sets into banks per conversation and asks their questions through memory_search over stdio, with a naive
 * BM25 over the same texts beside it.
 */
export default async function run(options: { json?: boolean; data?: string } = {}): Promise<void> {
  const data = options.data ?? '../shared/data';
  const results: Record<string, { ours: Quality; naive: Quality }> = {};
  for (const set of sets) {
    if (!existsSync(join(data, set, 'corpus.jsonl'))) {
      process.stdout.write(
        `${set}: not in ${data}. The sets are public benchmarks (LoCoMo, BEAM, LongMemEval, KdConv, RGB) as corpus.jsonl and queries.jsonl: give their folder with --data.\n`,
      );
      continue;
    }
    const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
    try {
      results[set] = await measureSet(join(data, set), home);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
    if (!options.json) report(set, results[set]);
  }
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measureSet(folder: string, home: string): Promise<{ ours: Quality; naive: Quality }> {
  const file = join(folder, 'corpus.jsonl');
  const importing = ['import', file, '--format', 'turns', '--bank-from', 'conv_id', '--home', home, '--json'];
  const imported = spawnSync(process.execPath, [entry, ...importing], { encoding: 'utf8' });
  if (imported.status !== 0) throw new Error(`import of ${file} failed: ${imported.stderr.slice(-2000)}`);
  const records = linesOf<Record_>(file);
  const questions = linesOf<Question>(join(folder, 'queries.jsonl')).filter((each) => relevantTo(each).size > 0);
  const conversations = [...new Set(questions.map(({ conv_id }) => conv_id))];
  const ours: Scored[] = [];
  const naive: Scored[] = [];
  for (const conversation of conversations) {
    const own = questions.filter(({ conv_id }) => conv_id === conversation);
    const client = await connect(process.execPath, [entry, '--home', home, '--bank', conversation]);
    const search: Search = async (query, limit) => {
      const answer = await client.call('memory_search', { query, top_k: limit });
      const items = answer.items as { source: { external_id: string; session_id?: string } }[];
      return items.map(({ source }) => ({ id: source.external_id, session: source.session_id }));
    };
    ours.push(...(await scoreAll(own, search)));
    await client.close();
    const baseline = naiveSearch(records.filter(({ conv_id }) => conv_id === conversation));
    naive.push(...(await scoreAll(own, baseline)));
  }
  return { ours: summary(ours), naive: summary(naive) };
}

function naiveSearch(records: readonly Record_[]): Search {
  const index = naiveBm25();
  for (const { speaker, text } of records) index.add(speaker ? `${speaker}: ${text}` : text);
  return async (question, limit) =>
    index.search(question, limit).map(({ doc }) => {
      const { id, session_id } = records[doc]!;
      return { id, session: session_id ?? undefined };
    });
}

interface Scored {
  readonly at5: number;
  readonly at10: number;
  readonly first: number;
  readonly empty: number;
}

async function scoreAll(questions: readonly Question[], search: Search): Promise<Scored[]> {
  const scored: Scored[] = [];
  for (const question of questions) {
    const bySession = !question.relevant_ids?.length;
    const found = await search(question.text, bySession ? askedForSessions : asked);
    const ids = bySession ? [...new Set(found.map(({ session }) => session ?? ''))] : found.map(({ id }) => id);
    const relevant = relevantTo(question);
    const share = (count: number) => ids.slice(0, count).filter((id) => relevant.has(id)).length / relevant.size;
    scored.push({
      at5: share(5),
      at10: share(10),
      first: ids[0] !== undefined && relevant.has(ids[0]) ? 1 : 0,
      empty: ids.length === 0 ? 1 : 0,
    });
  }
  return scored;
}

/** The ids of relevant memories, or of relevant sessions where a set knows no more. */
function relevantTo({ relevant_ids, relevant_session_ids }: Question): ReadonlySet<string> {
  return new Set(relevant_ids?.length ? relevant_ids : relevant_session_ids);
}

function summary(scored: readonly Scored[]): Quality {
  const mean = (of: (each: Scored) => number) => scored.reduce((sum, each) => sum + of(each), 0) / scored.length;
  return {
    questions: scored.length,
    recallAt5: mean(({ at5 }) => at5),
    recallAt10: mean(({ at10 }) => at10),
    hitAt1: mean(({ first }) => first),
    empty: scored.reduce((sum, each) => sum + each.empty, 0),
  };
}

function linesOf<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

function report(set: string, { ours, naive }: { ours: Quality; naive: Quality }): void {
  const line = (name: string, { recallAt5, recallAt10, hitAt1, empty }: Quality) =>
    `  ${name.padEnd(14)} R@5 ${recallAt5.toFixed(3)}  R@10 ${recallAt10.toFixed(3)}  hit@1 ${hitAt1.toFixed(3)}  without an answer ${empty}\n`;
  process.stdout.write(
    `${set}, ${ours.questions} questions\n${line('memory_search', ours)}${line('naive BM25', naive)}`,
  );
}
