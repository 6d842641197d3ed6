import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadConfig } from '#config/load-config.js';
import { HindsightError } from '#contract/errors.js';
import type { OwnWeights } from '#events/recall-settings.js';
import { learned } from '#query/recall/ranking/learned-weights.js';
import { featuresVersion } from '#query/recall/ranking/own-weights.js';
import type { Weights } from '#query/recall/ranking/weights.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';
import type { ExportedRecall } from '../../services/cli/export/export-recalls.js';
import { open } from '../../services/cli/open.js';
import { fitOwn, heldOutLoss, priorDeviation } from './from-log/fit-own.js';
import { type Kind, type LogRows, ratedRows } from './from-log/rated-rows.js';
import { askingOf } from './samples.js';

/** Ratings below which nothing is learned: of all, and of those that helped and those that did not. */
const leastRatings = 40;
const leastOfEach = 10;

export interface FromLogOptions {
  /** As `export --recalls` writes it. */
  readonly fromLog: string;
  /** The bank's home, where it is not the usual one, and its name. */
  readonly home?: string;
  readonly bank?: string;
  /** Where the weights are written. */
  readonly out?: string;
  /** Instead of what the configuration names. */
  readonly embedder?: Embedder;
}

/**
 * Fits a bank's own weights from how its users rated what they were served, and says what ratings that were held out come to by them and by the
 * shipped ones. Writes them only where they foretell better.
 * @throws HindsightError where there are too few ratings to learn from, or the log or its bank is not there
 */
export async function tuneFromLog({ fromLog, home, bank, out = 'weights.json', embedder }: FromLogOptions) {
  const recalls = recallsIn(fromLog);
  const { config } = loadConfig({ flags: { home, bank } });
  const opened = await open({
    config,
    log: plainLog('warn', (text) => process.stderr.write(`${text}\n`)),
    missingBank: 'refuse',
    ...(embedder ? { embedder } : { embeds: true }),
  });
  let rows: LogRows;
  try {
    opened.embedder?.warm();
    await opened.embedder?.space();
    await opened.projector.catchUp();
    await opened.embedding?.untilDone();
    rows = await ratedRows(opened, askingOf(opened, true), recalls);
  } finally {
    await opened.close();
  }
  const { weights, lines } = ownWeightsOf(rows);
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!weights) return;
  writeFileSync(out, `${JSON.stringify(weights, null, 2)}\n`);
  process.stdout.write(`Written to ${out}. To rank by them: hindsight-ledger bank configure NAME --weights ${out}\n`);
}

function recallsIn(file: string): ExportedRecall[] {
  if (!existsSync(file)) throw new HindsightError('file_not_found', `--from-log: there is no file ${file}.`, { file });
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      if (line === '') return [];
      try {
        return [JSON.parse(line) as ExportedRecall];
      } catch (cause) {
        const sentence = `--from-log ${file}: line ${at + 1} is no JSON. It takes what \`hindsight-ledger export --recalls\` writes.`;
        throw new HindsightError('invalid_input', sentence, { file, line: at + 1 }, { cause });
      }
    });
}

/**
 * The weights that foretell ratings better than those that ship, with what is said of all.
 * @returns no weights where none do
 * @throws HindsightError where there are too few ratings to learn from
 */
export function ownWeightsOf({ rated, candidates, left }: LogRows): { weights?: OwnWeights; lines: string[] } {
  const helped = rated.filter((row) => row.helped).length;
  const others = rated.length - helped;
  const unusable = [
    ...(left.withoutQuestion ? [`${left.withoutQuestion} more are of questions that have expired or were erased`] : []),
    ...(left.notFound ? [`${left.notFound} more of memories that are not found any more`] : []),
  ];
  if (rated.length < leastRatings || Math.min(helped, others) < leastOfEach)
    throw new HindsightError(
      'invalid_input',
      `${rated.length} ratings, of which ${helped} say that it helped and ${others} that it did not${unusable.length ? ` (${unusable.join(', ')})` : ''}: too few to learn from. Expected ${leastRatings}, with ${leastOfEach} of each. Go on with the shipped weights; feedback on what is served adds to them (memory_feedback with its recall_id).`,
    );
  const lines = [
    `${rated.length} ratings: ${helped} helped, ${others} did not${unusable.length ? `; ${unusable.join(', ')}` : ''}.`,
    `Weights move from the shipped ones by a standard deviation of ${priorDeviation}. Held out: mean −ln of what came true, less is better.`,
  ];
  const forms: OwnWeights['forms'] = {};
  for (const kind of kindsOf(rated)) {
    const own = rated.filter((row) => isOf(row, kind));
    const shipped = learned[kind.form][kindName(kind)];
    const name = `${kind.form.padEnd(8)} ${kindName(kind).padEnd(8)} ${String(own.length).padStart(5)}`;
    const helpedHere = own.filter((row) => row.helped).length;
    if (own.length < leastRatings || Math.min(helpedHere, own.length - helpedHere) < leastOfEach) {
      lines.push(`${name}  too few of this kind: they stay as shipped`);
      continue;
    }
    const held = heldOutLoss(shipped, own);
    const figures = `shipped ${held.shipped.toFixed(3)}, own ${held.fitted.toFixed(3)}`;
    if (held.fitted >= held.shipped) {
      lines.push(`${name}  ${figures}: no better, so they stay as shipped`);
      continue;
    }
    const around = candidates.filter((row) => isOf(row, kind)).map(({ features }) => features);
    const { weights } = fitOwn(shipped, own, around);
    lines.push(`${name}  ${figures}`, ...movedLines(shipped, weights));
    const of = weights.of as Record<string, number>;
    forms[kind.form] = { ...forms[kind.form], [kindName(kind)]: { ...weights, of } };
  }
  return Object.keys(forms).length > 0 ? { weights: { features: featuresVersion, forms }, lines } : { lines };
}

function kindsOf(rated: readonly Kind[]): Kind[] {
  const names = new Map(rated.map(({ form, vectors }) => [`${form} ${vectors}`, { form, vectors }]));
  return [...names.values()].sort((one, other) =>
    one.form === other.form ? Number(other.vectors) - Number(one.vectors) : one.form < other.form ? -1 : 1,
  );
}

function isOf(row: Kind, { form, vectors }: Kind): boolean {
  return row.form === form && row.vectors === vectors;
}

function kindName({ vectors }: Kind): 'vectors' | 'keywords' {
  return vectors ? 'vectors' : 'keywords';
}

/** Those that moved by more than a tenth, the most first. */
function movedLines(shipped: Weights, own: Weights): string[] {
  const names = Object.keys(shipped.of) as (keyof Weights['of'])[];
  const moved = names
    .map((name) => ({ name, from: shipped.of[name]!, to: own.of[name] ?? 0 }))
    .filter(({ from, to }) => Math.abs(to - from) > 0.1)
    .sort((one, other) => Math.abs(other.to - other.from) - Math.abs(one.to - one.from))
    .map(({ name, from, to }) => `${name} ${from} → ${to}`);
  return moved.length > 0 ? [`         ${moved.join(', ')}`] : ['         none moved by more than .1'];
}
