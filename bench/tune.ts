import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import { featureNames } from '#query/recall/ranking/features.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { openEmbedded } from '../services/cli/embedded/open-embedded.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { materialOf } from './quality/material.js';
import { prepareHome } from './quality/prepared-home.js';
import { type QuestionRecord, questionsOf } from './quality/questions.js';
import { linesOf, setsIn } from './quality/sets.js';
import { type Sample, samplesOf } from './tune/samples.js';

const ownSets = join(import.meta.dirname, '..', '..', '..', 'bench', 'sets');

export interface TuneOptions {
  readonly data?: string;
  readonly set?: string;
  readonly cache?: string;
  readonly dump?: string;
  /** Instead of the model that ships. */
  readonly embedder?: Embedder;
}

/** Takes the candidates of every question of the development sets, and writes them down as numbers with their labels. */
export default async function run(options: TuneOptions = {}): Promise<void> {
  const cache = options.cache ?? join(tmpdir(), 'hindsight-ledger-bench');
  for (const set of setsIn([options.data ?? '../shared/data', ownSets], options.set?.split(','))) {
    process.stderr.write(`${set.name} …\n`);
    const material = materialOf(set);
    const subjects = new Map(material.texts.flatMap(({ id, subject }) => (subject ? [[id, subject] as const] : [])));
    const records = linesOf<QuestionRecord>(join(set.folder, 'queries.jsonl'));
    const banks = new Set(material.texts.map(({ bank }) => bank));
    const questions = questionsOf(records, {
      pool: material.pool,
      dated: material.format === 'jsonl',
      subjects,
    }).filter(({ bank }) => banks.has(bank));
    const { home } = await prepareHome(set.name, material, cache);
    const { config } = loadConfig({ flags: { home, bank: questions[0]!.bank }, env: {} });
    const opened = await openEmbedded({
      config,
      log: plainLog('silent', () => undefined),
      ...(options.embedder ? { embedder: options.embedder } : { embeds: true }),
    });
    try {
      opened.embedder?.warm();
      await opened.embedder?.space();
      await opened.projector.catchUp();
      await opened.embedding?.untilDone();
      for (const vectors of [true, false]) {
        const samples = await samplesOf(set.name, opened, questions, { vectors });
        if (options.dump) dump(join(options.dump, `${set.name}.${vectors ? 'vectors' : 'keywords'}.jsonl`), samples);
      }
    } finally {
      await opened.close();
    }
  }
}

function dump(file: string, samples: readonly Sample[]): void {
  const lines = samples.map((sample) =>
    JSON.stringify({
      ...sample,
      names: featureNames,
      features: sample.features.map((row) => Array.from(row, (value) => Math.round(value * 1e5) / 1e5)),
    }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
}
