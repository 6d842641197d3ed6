import type { GroupFigures, SetFigures } from './figures.js';
import type { Score } from './metrics.js';

const none = '–';

/** All figures as one markdown table, a set's groups below it. */
export function qualityTable(sets: readonly SetFigures[]): string {
  const legs = [...new Set(sets.flatMap(({ groups }) => groups.flatMap((group) => Object.keys(group.legs))))];
  const head = [
    'set, group',
    'questions',
    ...['R@5', 'R@10', 'hit@1', 'nDCG@10'],
    ...['cut: R@5', 'R@10', 'precision', 'empty'],
    ...['BM25: R@5', 'R@10', 'hit@1', 'nDCG@10'],
    ...legs.map((leg) => `${leg}: R@5/R@10`),
  ];
  const rows = sets.flatMap(({ set, groups }) => groups.map((group) => row(set, group, legs)));
  return markdown(head, rows);
}

function row(set: string, group: GroupFigures, legs: readonly string[]): string[] {
  const { all, cut, baseline } = group;
  return [
    group.group === 'all' ? `**${set}**` : `… ${group.group}`,
    String(group.questions),
    ...four(all),
    ...[cut?.recallAt5, cut?.recallAt10, group.precision, group.empty].map(figure),
    ...four(baseline),
    ...legs.map((leg) => {
      const score = group.legs[leg];
      return score ? `${figure(score.recallAt5)}/${figure(score.recallAt10)}` : none;
    }),
  ];
}

function four(score: Score | undefined): string[] {
  return [score?.recallAt5, score?.recallAt10, score?.hitAt1, score?.ndcgAt10].map(figure);
}

/** What was predicted against what was seen, by tenths of the score: observed, with the items that lie there. */
export function reliabilityTable(sets: readonly SetFigures[]): string {
  const head = ['score', ...sets.map(({ set }) => set)];
  const tenths = Array.from({ length: 10 }, (_, at) => at / 10);
  const rows = tenths.map((from) => [
    `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
    ...sets.map(({ reliability }) => {
      const tenth = reliability.find((each) => each.from === from);
      return tenth ? `${figure(tenth.predicted)} → ${figure(tenth.observed)} (${tenth.items})` : none;
    }),
  ]);
  const errors = ['calibration error', ...sets.map(({ calibrationError }) => figure(calibrationError))];
  return markdown(head, [...rows, errors]);
}

/** What stands in no column. */
export function remarks(sets: readonly SetFigures[]): string {
  return sets
    .map(({ set, memories, seconds, updates, mustNotServed, ms }) =>
      [
        `${set}: ${memories} memories`,
        seconds.importing
          ? `imported in ${seconds.importing.toFixed(1)} s, embedded in another ${seconds.embedding.toFixed(1)} s`
          : 'imported by an earlier run',
        `a question p50 ${ms.p50.toFixed(1)} ms, p99 ${ms.p99.toFixed(1)} ms`,
        ...(updates
          ? [
              `the current statement above the stale one in ${updates.ours} of ${updates.of} (BM25: ${updates.baseline})`,
            ]
          : []),
        ...(mustNotServed
          ? [`something that must not be served in ${mustNotServed.ours} of ${mustNotServed.of} answers`]
          : []),
      ].join('; '),
    )
    .join('\n');
}

function figure(value: number | undefined): string {
  return value === undefined ? none : value.toFixed(3).replace(/^0\./, '.');
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
