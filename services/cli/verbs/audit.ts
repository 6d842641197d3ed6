import { once } from 'node:events';
import { type AuditInput, type AuditOutput, auditInput, auditPage, audits } from '#contract/audit.js';
import { HindsightError } from '#contract/errors.js';
import { readInput } from '#contract/input/read-input.js';
import { itemStatuses } from '#contract/memory-item.js';
import { memoryKinds } from '#events/version-fields.js';
import { counted } from '#query/mcp/render/shown.js';
import { type Language, languageOf } from '#query/words/language.js';
import { columnsOf } from '../audit/columns.js';
import { type Format, formats, linesOf } from '../audit/formats.js';
import { renderBelief } from '../audit/render-belief.js';
import { listed, oneOf, parameters, someOf, span, wholeNumber } from '../options.js';
import { readyToAsk } from '../ready-to-ask.js';
import { type Run, verb } from '../verb.js';

interface Options extends Record<string, unknown> {
  format?: Format;
  limit?: number;
  cursor?: string;
}

const names = [
  'at',
  'from',
  'to',
  'as_of',
  'valid_at',
  'valid_during',
  'basis',
  'memory_id',
  'key',
  'principal',
  'session_id',
  'task_id',
  'kinds',
  'tags',
  'subject',
  'include',
  'by',
] as const;

/** Rows asked for at once: each page is put on record by itself, so few of them. */
const pageSize = 2_000;

type Page = (cursor: string | undefined, limit: number) => Promise<AuditOutput>;

export const audit = () =>
  verb<Options>(
    'audit',
    'what was believed when and why, who wrote it, and what was shown',
    async (run, options, words) => {
      const [ask, ...rest] = words;
      if (ask !== 'belief' && ask !== undefined && rest.length > 0 && (audits as readonly string[]).includes(ask))
        throw new HindsightError(
          'invalid_input',
          `audit ${ask} takes no words, and ${JSON.stringify(rest.join(' '))} is given. Only belief takes a question; what narrows the others are options: \`hindsight-ledger audit --help\`.`,
          { given: rest.join(' ') },
        );
      const input = readInput(auditInput, {
        ask,
        ...(rest.length > 0 ? { query: rest.join(' ') } : {}),
        ...parameters(options, names),
        ...(options.limit === undefined ? {} : { limit: Math.min(options.limit, auditPage.most) }),
      });
      const { queries, caller, bank, embedder, embedding, projector, views } = await run.open();
      const page: Page = (cursor, limit) =>
        queries.audit({ ...input, limit, ...(cursor === undefined ? {} : { cursor }) }, caller('audit'));
      if (input.ask === 'belief') {
        // It ranks as search does, so it waits for what search waits for.
        await readyToAsk({ embedder, embedding, projector, reader: views.reader(), bank });
        return belief(
          run,
          await queries.audit({ ...input, limit: options.limit }, caller('audit')),
          options,
          languageOf(input.query ?? ''),
        );
      }
      if (run.out.json) return document(run, page, options);
      return stream(run, input.ask, page, options);
    },
  )
    .argument('<ask>', audits.join(', '))
    .argument('[question...]', 'belief: the question, in words')
    .option('--at <time>', 'belief: the moment in the past; shown: what was shown before it')
    .option('--from <time>', 'recorded at this time or later; diff: the earlier basis, or a time')
    .option('--to <time>', 'recorded before this time; diff: the later basis, or a time')
    .option('--as-of <time>', 'what the ledger knew at this time')
    .option('--valid-at <time>', 'what was true at this time')
    .option('--valid-during <from/to>', 'what was true at any time in this span', span)
    .option('--basis <token>', 'what the ledger knew at an earlier answer')
    .option('--memory-id <id>', 'only this memory')
    .option('--key <slot>', 'only the memory of this slot')
    .option('--principal <name>', 'only what this principal wrote, or was shown')
    .option('--session-id <id>', 'only what was written, or shown, in this session')
    .option('--task-id <id>', 'only what was written for this task')
    .option('--kinds <list>', `some of ${memoryKinds.join(', ')}`, someOf(memoryKinds))
    .option('--tags <list>', 'all of them must be there; separated by commas', listed)
    .option('--subject <name>', 'only what is about this person')
    .option(
      '--include <list>',
      `belief, state: statuses beyond current: ${itemStatuses.join(', ')}`,
      someOf(itemStatuses),
    )
    .option(
      '--by <duration>',
      'retroactive: later than this after it became true, such as 90s, 15m, 1h (the default), 30d',
    )
    .option('--limit <number>', 'so many rows; all by default', wholeNumber)
    .option('--cursor <token>', 'go on where an earlier answer with the same parameters stopped')
    .addOption(oneOf('--format <format>', 'how rows are printed; table by default', formats));

function belief(run: Run, answer: AuditOutput, { format }: Options, language: Language): void {
  if (format === undefined || format === 'table' || run.out.json) {
    run.out.answer(answer, (found) => renderBelief(found, run.out, language));
    return;
  }
  const { columns, rows } = readingRows(answer);
  const { head, line } = linesOf(format, columns, run.out);
  if (head) run.out.print(head);
  for (const row of rows) run.out.print(line(row));
  for (const sentence of answer.because ?? []) run.out.note(sentence);
}

/** Items of the readings as rows: those that `change` names. */
function readingRows({ readings }: AuditOutput) {
  const rows = Object.entries(readings!).flatMap(([reading, { items }]) =>
    items.map(({ id, key, version, content, status, valid_from, valid_to, recorded_at, source }) => ({
      reading,
      memory_id: id,
      ...(key === undefined ? {} : { key }),
      version,
      status,
      content,
      valid_from,
      ...(valid_to === undefined ? {} : { valid_to }),
      recorded_at,
      principal: source.principal,
    })),
  );
  const reading = { name: 'reading', width: 13, of: (row: object) => (row as { reading: string }).reading };
  return { columns: [reading, ...columnsOf.state], rows };
}

/** One JSON document: all of it is held until it is whole. */
async function document(run: Run, page: Page, options: Options): Promise<void> {
  const first = await page(options.cursor, Math.min(options.limit ?? pageSize, pageSize));
  const rows = [...first.rows];
  let last = first;
  while (last.next !== undefined && !run.signal.aborted && rows.length < (options.limit ?? Infinity)) {
    last = await page(last.next, Math.min(pageSize, (options.limit ?? Infinity) - rows.length));
    rows.push(...last.rows);
  }
  const { next: _next, ...rest } = first;
  run.out.answer({ ...rest, rows, ...(last.next === undefined ? {} : { next: last.next }) }, () => '');
}

/** Row by row, as the pages come: whoever reads slowly is waited for. */
async function stream(
  run: Run,
  ask: Exclude<AuditInput['ask'], 'belief'>,
  page: Page,
  options: Options,
): Promise<void> {
  const { head, line } = linesOf(options.format ?? 'table', columnsOf[ask], run.out);
  const most = options.limit ?? Infinity;
  let count = 0;
  let answer: AuditOutput | undefined;
  do {
    answer = await page(answer?.next ?? options.cursor, Math.min(pageSize, most - count));
    if (count === 0 && head && options.cursor === undefined) run.out.print(head);
    const text = answer.rows.map((row) => `${line(row)}\n`).join('');
    count += answer.rows.length;
    if (text && !process.stdout.write(text)) await once(process.stdout, 'drain');
  } while (answer.next !== undefined && count < most && !run.signal.aborted);
  for (const note of answer.notes ?? []) run.out.note(`Note: ${note}`);
  if (answer.from_basis) run.out.note(`from basis ${answer.from_basis}`);
  run.out.note(`${counted(count, 'row')}; basis ${answer.basis}`);
  if (answer.next !== undefined) run.out.note(`There is more: the same command with --cursor ${answer.next}`);
}
