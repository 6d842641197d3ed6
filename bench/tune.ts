import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import { isHindsightError } from '#contract/errors.js';
import { type FeatureName, featureNames } from '#query/recall/ranking/features.js';
import { type Form, forms } from '#query/recall/ranking/form.js';
import { learned as inUse, learnedFrom } from '#query/recall/ranking/learned-weights.js';
import type { FormWeights, Weights } from '#query/recall/ranking/weights.js';
import { recipe } from '#query/recall/recipe.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { openEmbedded } from '../services/cli/embedded/open-embedded.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { exitCodeOf } from '../services/cli/exit-codes.js';
import { materialOf } from './quality/material.js';
import { prepareHome } from './quality/prepared-home.js';
import { type QuestionRecord, questionsOf } from './quality/questions.js';
import { linesOf, type QualitySet, setsIn } from './quality/sets.js';
import { answerFeatures, answerRows, fitAnswer, withheldCrossValidated } from './tune/fit-answer.js';
import { fitWeights, usable } from './tune/fit-weights.js';
import { crossValidated, emptyShare, highestCut, scoresOf } from './tune/folds.js';
import { tuneFromLog } from './tune/from-log.js';
import { readSamples, writeSamples } from './tune/sample-file.js';
import { type Sample, samplesOf } from './tune/samples.js';
import { askedElsewhere, strayed } from './tune/strayed.js';
import { weightsFile } from './tune/write-weights.js';

const root = join(import.meta.dirname, '..', '..', '..');
/** Sets of which not every conversation is learned from, but the first of so many that follow each other: the others tell whether what was learned holds. */
const firstOf: Readonly<Record<string, number>> = { timeqa_human_test: 4 };
/** Forms that are learned from together: each gains by what is known of the other (docs/decisions/0024). */
const kin: Partial<Record<Form, Form>> = { note: 'hanNote', hanNote: 'note' };
/** Questions with an answer below which nothing is learned of a form. */
const fewest = 50;
/** Share of the recall among the first five that the default cut may cost. */
const cutCosts = 0.03;

export interface TuneOptions {
  readonly data?: string;
  readonly set?: string;
  readonly cache?: string;
  /** A folder in which candidates are kept as numbers: what is there is not asked for again. */
  readonly dump?: string;
  /** Whether the weights are written where the product reads them. */
  readonly write?: boolean;
  /** A recall log (`export --recalls`): a bank's own weights are fitted from its ratings instead. As `FromLogOptions` has it. */
  readonly 'from-log'?: string;
  readonly home?: string;
  readonly bank?: string;
  readonly out?: string;
  /** Instead of the model that ships. */
  readonly embedder?: Embedder;
}

/**
 * Takes the candidates of every question of the development sets as the product would, learns weights per form of memory, and says what they
 * come to in cross-validation over conversations.
 */
export default async function run(options: TuneOptions = {}): Promise<void> {
  const { 'from-log': fromLog, ...rest } = options;
  if (fromLog !== undefined) return plainly(() => tuneFromLog({ ...rest, fromLog }));
  const samples: Sample[] = [];
  const found = setsIn([options.data ?? '../shared/data', join(root, 'bench', 'sets')], options.set?.split(','));
  // What asks of another set's memories teaches nothing that this does not.
  for (const set of found.filter(({ about }) => about === undefined))
    samples.push(...(await candidatesOf(set, options)));
  const learned: Partial<Record<Form, FormWeights>> = {};
  const rested: Partial<Record<Form, string>> = {};
  for (const form of forms) {
    // Questions that strayed teach whether anything answers, and nothing of what answers better.
    const of = (one: Form) => samples.filter((sample) => sample.form === one && sample.category !== askedElsewhere);
    const own = of(form);
    const more = kin[form] ? of(kin[form]) : [];
    // A question or two whose memories passed for another form would undo what that form's own sets have taught.
    if (own.filter(({ vectors, total }) => vectors && total > 0).length < fewest) continue;
    rested[form] = partsOf([...own, ...more]);
    const by = (wanted: boolean) =>
      weightsOf(
        form,
        own.filter(({ vectors }) => vectors === wanted),
        more.filter(({ vectors }) => vectors === wanted),
      );
    learned[form] = { vectors: by(true), keywords: by(false) };
  }
  for (const form of forms) {
    const [own, other] = [learned[form], kin[form] && learned[kin[form]]];
    if (own && other)
      learned[form] = { vectors: cutAsBoth(own, other, 'vectors'), keywords: cutAsBoth(own, other, 'keywords') };
  }
  tellAnswer(samples, { ...inUse, ...learned });
  if (!options.write) return;
  writeFileSync(
    join(root, 'services', 'query', 'recall', 'ranking', 'learned-weights.ts'),
    weightsFile({ ...inUse, ...learned }, { ...learnedFrom, ...rested }),
  );
}

/** The lower cut of two kindred forms: of one set's few questions a higher one shows nothing lost, and leaves out what has one word of three. */
function cutAsBoth(own: FormWeights, other: FormWeights, kind: keyof FormWeights): Weights {
  return { ...own[kind], cut: Math.min(own[kind].cut, other[kind].cut) };
}

/** What was asked for wrongly, such as a log of few ratings, is said in a sentence: whoever tunes a bank looks for no fault of the program. */
async function plainly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isHindsightError(error) || error.code === 'internal') throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** As `zh_kdconv (2,061 questions)`, with what part of a set it is. */
function partsOf(samples: readonly Sample[]): string {
  return [...new Set(samples.map(({ set }) => set))]
    .map((set) => {
      const asked = samples.filter((each) => each.set === set && each.vectors && each.total > 0).length;
      const part = firstOf[set] ? ` of every ${firstOf[set]}th conversation` : '';
      return `${set} (${asked.toLocaleString('en')} questions${part})`;
    })
    .join(', ');
}

/** Prints what tells whether anything answers; the numbers stand in `services/query/recall/recipe.ts`. */
function tellAnswer(samples: readonly Sample[], weights: Readonly<Record<Form, FormWeights>>): void {
  const ofVectors = Object.fromEntries(forms.map((form) => [form, weights[form].vectors])) as Record<Form, Weights>;
  const rows = answerRows(
    samples.filter(({ vectors }) => vectors),
    ofVectors,
  );
  const { intercept, of } = fitAnswer(rows);
  const parts = answerFeatures.map((name) => `${name} ${of[name]}`);
  process.stdout.write(
    `anything  intercept ${intercept}, ${parts.join(', ')}; nothing said below ${recipe.answer.cut} to:\n`,
  );
  for (const [name, { asked, empty }] of withheldCrossValidated(rows, recipe.answer.cut))
    process.stdout.write(`          ${name.padEnd(40)} ${empty} of ${asked}\n`);
}

/** Learns from all, after saying what came out where each conversation of the form's own was left out in turn. @param more of a kindred form */
function weightsOf(form: Form, samples: readonly Sample[], more: readonly Sample[]): Weights {
  const vectors = samples[0]?.vectors ?? false;
  const among = usable([...samples, ...more]).filter((name) => vectors || !name.toLowerCase().includes('meaning'));
  const found = crossValidated(samples, among, more, form);
  const cut = highestCut(samples, found, cutCosts);
  const line = (name: string, of: readonly Sample[]) => {
    const own = of.map((sample) => found[samples.indexOf(sample)]!);
    const { questions, at5, at10, first } = scoresOf(of, own);
    const shown = [at5, at10, first].map((value) => value.toFixed(3)).join(' / ');
    const afterCut = scoresOf(of, own, cut).at5.toFixed(3);
    const empty = of.some(({ total }) => total === 0)
      ? `, nothing said to ${emptyShare(of, own, cut).toFixed(2)} without an answer`
      : '';
    process.stdout.write(
      `${form.padEnd(8)} ${vectors ? 'vectors ' : 'keywords'} ${name.padEnd(24)} ${String(questions).padStart(5)}  ${shown}  cut ${cut}: ${afterCut}${empty}\n`,
    );
  };
  for (const set of new Set(samples.map((each) => each.set)))
    line(
      set,
      samples.filter((each) => each.set === set),
    );
  const { intercept, of } = fitWeights([...samples, ...more], among, form);
  process.stdout.write(`         ${featureList(of)}\n`);
  return { intercept, of, cut };
}

function featureList(of: Weights['of']): string {
  return featureNames
    .filter((name: FeatureName) => of[name] !== undefined)
    .map((name) => `${name} ${of[name]}`)
    .join(', ');
}

async function candidatesOf(set: QualitySet, options: TuneOptions): Promise<Sample[]> {
  const file = (vectors: boolean) => join(options.dump ?? '', `${set.name}.${vectors ? 'vectors' : 'keywords'}.jsonl`);
  if (options.dump && existsSync(file(true)) && existsSync(file(false)))
    return [true, false].flatMap((vectors) => readSamples(readFileSync(file(vectors), 'utf8')));
  process.stderr.write(`${set.name} …\n`);
  const material = materialOf(set, { firstOf: firstOf[set.name] ?? 1 });
  const subjects = new Map(material.texts.flatMap(({ id, subject }) => (subject ? [[id, subject] as const] : [])));
  const records = linesOf<QuestionRecord>(join(set.folder, 'queries.jsonl'));
  const banks = new Set(material.texts.map(({ bank }) => bank));
  const questions = questionsOf(records, { pool: material.pool, dated: material.format === 'jsonl', subjects }).filter(
    ({ bank, bySession }) => banks.has(bank) && !bySession,
  );
  if (questions.length === 0) return [];
  const cache = options.cache ?? join(tmpdir(), 'hindsight-ledger-bench');
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
    const found: Sample[] = [];
    for (const vectors of [true, false]) {
      const samples = await samplesOf(set.name, opened, [...questions, ...strayed(questions)], { vectors });
      if (options.dump) writeFileSync(file(vectors), writeSamples(samples));
      found.push(...samples);
    }
    return found;
  } finally {
    await opened.close();
  }
}
