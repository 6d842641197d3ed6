import { join } from 'node:path';
import { figuresOf, type SetFigures } from './quality/figures.js';
import { materialOf } from './quality/material.js';
import { answersTo } from './quality/measure.js';
import { prepareHome } from './quality/prepared-home.js';
import { type QuestionRecord, questionsOf, spread } from './quality/questions.js';
import { recalledBy, setBanks } from './quality/recalled-without.js';
import { linesOf, type QualitySet, setsIn } from './quality/sets.js';
import { qualityTable, reliabilityTable, remarks } from './quality/table.js';
import { type Worst, worstFirst, worstList, worstOf } from './quality/worst.js';

const ownSets = join(import.meta.dirname, '..', '..', '..', 'bench', 'sets');

export interface QualityOptions {
  readonly json?: boolean;
  readonly data?: string;
  /** Names of sets, by commas. */
  readonly set?: string;
  /** Questions of each set. */
  readonly limit?: string;
  /** Folder in which imported homes are kept. */
  readonly cache?: string;
  /** Unrelated memories in each bank. */
  readonly mixed?: string;
  /** All conversations of a set in one bank. */
  readonly pool?: boolean;
  /** Whether each leg is held against the labels, too; costs a third question each. */
  readonly legs?: boolean;
  readonly worst?: string;
  /** Legs that every bank has switched off, by commas. */
  readonly without?: string;
  /** The profile that every bank is ranked by. */
  readonly ranking?: string;
}

/**
 * Imports every set of the data folder and this repository's own into banks and asks their questions through memory_search of the built
 * product over stdio, with a naive BM25 over the same texts beside it.
 */
export default async function run(options: QualityOptions = {}): Promise<void> {
  const data = options.data ?? '../shared/data';
  // Wrong names are told before anything is imported.
  recalledBy(options);
  const asked = options.set?.split(',');
  const sets = setsIn([data, ownSets], asked);
  const missing = asked
    ? asked.filter((name) => !sets.some((set) => set.name === name))
    : sets.some(({ folder }) => folder.startsWith(data))
      ? []
      : ['any'];
  for (const name of missing)
    process.stderr.write(
      `${name}: no such set in ${data}. Public benchmarks such as LoCoMo, BEAM, LongMemEval, KdConv and RGB serve, each a folder with corpus.jsonl and queries.jsonl: give the folder of all with --data.\n`,
    );
  const figures: SetFigures[] = [];
  const worst: Worst[] = [];
  for (const set of sets) {
    process.stderr.write(`${set.name} …\n`);
    const measured = await measure(set, options);
    if (!measured) continue;
    figures.push(measured.figures);
    worst.push(...measured.worst);
  }
  if (options.json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else if (figures.length)
    process.stdout.write(`${qualityTable(figures)}\n\n${remarks(figures)}\n\n${reliabilityTable(figures)}\n`);
  const most = countOf('worst', options.worst);
  // A document on stdout stays one.
  if (most)
    (options.json ? process.stderr : process.stdout).write(`\n${worstList(worstFirst(worst).slice(0, most))}\n`);
}

async function measure(
  set: QualitySet,
  options: QualityOptions,
): Promise<{ figures: SetFigures; worst: Worst[] } | undefined> {
  const material = materialOf(set, { mixed: countOf('mixed', options.mixed), pool: options.pool });
  const subjects = new Map(material.texts.flatMap(({ id, subject }) => (subject ? [[id, subject] as const] : [])));
  const records = linesOf<QuestionRecord>(join(set.folder, 'queries.jsonl'));
  const all = questionsOf(records, { pool: material.pool, dated: material.format === 'jsonl', subjects });
  const banks = new Set(material.texts.map(({ bank }) => bank));
  const questions = spread(
    all.filter(({ bank }) => banks.has(bank)),
    countOf('limit', options.limit),
  );
  if (questions.length === 0) return undefined;
  const { home, seconds, leave } = await prepareHome(set.name, material, options.cache);
  try {
    await setBanks(home, new Set(questions.map(({ bank }) => bank)), recalledBy(options));
    const answers = await answersTo(questions, material, home, options.legs ?? false);
    return {
      figures: figuresOf(answers, { set: set.name, memories: material.texts.length, seconds }),
      worst: options.worst ? worstOf(set.name, answers, material.texts) : [],
    };
  } finally {
    leave();
  }
}

/** @throws Error that names the option, unless it is a whole number above 0 */
function countOf(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const count = Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} is ${given}. Expected a whole number above 0, for example --${name} 20.`);
}
