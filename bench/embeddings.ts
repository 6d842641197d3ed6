import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openE5 } from '#understanding/embeddings/e5/open-e5.js';
import { readPack } from '#understanding/embeddings/e5/pack.js';
import { shippedPlaces } from '#understanding/embeddings/e5/places.js';
import { createTokenizer } from '#understanding/embeddings/e5/tokenizer.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { openScanner } from '#understanding/embeddings/scan/scanner.js';
import { inMilliseconds, type Percentiles, percentiles } from './load/percentiles.js';
import { seeded } from './load/random.js';

const dimensions = 384;
const questionPieces = 12;

interface Figures {
  readonly node: string;
  readonly build?: string;
  readonly loadMs: number;
  /** Resident memory: what it grew by once the model was loaded and had answered. */
  readonly grownMb: number;
  /** Milliseconds a question of 12 pieces, both ends and the prefix included, as the caller waits for it. */
  readonly question: Percentiles;
  /** Processor milliseconds of the same, which neighbours disturb less. */
  readonly questionCpuMs: number;
  readonly textsPerSecond: number;
  readonly textsPerCpuSecond: number;
  readonly piecesPerText: number;
  readonly scans: readonly Scan[];
}

interface Scan {
  readonly rows: number;
  readonly times: Percentiles;
  readonly cpuMs: number;
  readonly mb: number;
}

/** What the shipped model costs: loading, a question, texts in the background; and the scan over what it makes. */
export default async function run(options: { json?: boolean; full?: boolean } = {}): Promise<void> {
  const before = process.memoryUsage.rss();
  let build: string | undefined;
  const embedder = openE5({
    log: {
      info: (fields) => {
        build = (fields as { build: string }).build;
      },
      warn: () => undefined,
    },
  });
  const began = performance.now();
  await embedder.space();
  const loadMs = performance.now() - began;
  await embedder.embed(['Is it warm now?'], 'query');
  const grownMb = (process.memoryUsage.rss() - before) / 1e6;

  const { questions, texts, piecesPerText } = await whatToEmbed();
  const asked = await timed(embedder, questions, 'query');
  const written = await timed(embedder, texts, 'passage');
  await embedder.close();

  const scans: Scan[] = [];
  for (const rows of options.full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]) scans.push(await scan(rows));
  const figures: Figures = {
    node: process.version,
    build,
    loadMs,
    grownMb,
    question: percentiles(asked.times),
    questionCpuMs: asked.cpuMs / questions.length,
    textsPerSecond: (texts.length / written.times.reduce((sum, each) => sum + each, 0)) * 1_000,
    textsPerCpuSecond: (texts.length / written.cpuMs) * 1_000,
    piecesPerText,
    scans,
  };
  process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : inWords(figures));
}

async function timed(embedder: Embedder, texts: readonly string[], role: 'query' | 'passage') {
  // Once unmeasured, so that the engine's second compiler has seen the kernel.
  await embedder.embed(texts.slice(0, 20), role);
  const cpu = process.cpuUsage();
  const times: number[] = [];
  for (const text of texts) {
    const began = performance.now();
    await embedder.embed([text], role);
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { times, cpuMs: (user + system) / 1_000 };
}

/** From the texts that the kernel is held against: English, Chinese and both. */
async function whatToEmbed() {
  const { folder } = shippedPlaces();
  const tokenizer = createTokenizer(await readPack(folder));
  const file = join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    'libs/understanding/embeddings/e5/test-support/references.jsonl',
  );
  const all = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
  // Cut to the words that fill 12 pieces, so that each question costs the same.
  const questions = all.flatMap((text) => {
    for (let length = 4; length <= text.length; length++) {
      const question = text.slice(0, length);
      if (tokenizer.pieces(`query: ${question}`, 512).length === questionPieces) return [question];
    }
    return [];
  });
  const words = all.filter((text) => /^[\x20-\x7e]*$/.test(text)).flatMap((text) => text.split(' '));
  const texts = Array.from({ length: Math.floor(words.length / 30) }, (_, at) =>
    words.slice(at * 30, at * 30 + 30).join(' '),
  );
  const pieces = texts.map((text) => tokenizer.pieces(`passage: ${text}`, 512).length);
  return { questions, texts, piecesPerText: pieces.reduce((sum, each) => sum + each, 0) / pieces.length };
}

async function scan(rows: number): Promise<Scan> {
  const random = seeded(rows);
  const scanner = await openScanner(dimensions);
  const vector = new Float32Array(dimensions);
  const draw = (): Float32Array => vector.map(() => random() - 0.5);
  for (let row = 0; row < rows; row++) scanner.put(row, draw());
  const scores = new Float32Array(rows);
  const ask = (count: number): number[] =>
    Array.from({ length: count }, () => {
      const question = draw();
      const began = performance.now();
      scanner.scores(question, scores);
      return performance.now() - began;
    });
  ask(10);
  const cpu = process.cpuUsage();
  const times = ask(100);
  const { user, system } = process.cpuUsage(cpu);
  return { rows, times: percentiles(times), cpuMs: (user + system) / 1_000 / times.length, mb: scanner.bytes / 1e6 };
}

function inWords(figures: Figures): string {
  const { question, scans } = figures;
  return [
    `Node ${figures.node}, ${figures.build} build: loaded in ${figures.loadMs.toFixed(0)} ms, ${figures.grownMb.toFixed(0)} MB more`,
    `a question of ${questionPieces} pieces    ${inMilliseconds(question)}, ${figures.questionCpuMs.toFixed(2)} ms of processor time`,
    `texts of 30 words (${figures.piecesPerText.toFixed(0)} pieces)  ${figures.textsPerSecond.toFixed(1)}/s, ${figures.textsPerCpuSecond.toFixed(1)} a processor second`,
    ...scans.map(
      ({ rows, times, cpuMs, mb }) =>
        `scan of ${rows} x ${dimensions}  ${inMilliseconds(times)}, ${cpuMs.toFixed(2)} ms of processor time, ${mb.toFixed(0)} MB`,
    ),
    '',
  ].join('\n');
}
