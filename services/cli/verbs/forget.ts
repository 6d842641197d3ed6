import { HindsightError } from '#contract/errors.js';
import type { ForgetInput, ForgetOutput } from '#contract/forget.js';
import type { ItemAnswer } from '#contract/query-port.js';
import { memoryKinds } from '#events/version-fields.js';
import { counted, grouped } from '#query/mcp/render/shown.js';
import { agreed, reasonFor } from '../ask.js';
import { exitCode } from '../exit-codes.js';
import { idOf, timesNamed } from '../named-memory.js';
import type { Opened } from '../opened.js';
import { listed, oneOf, overwriteFlag, parameters } from '../options.js';
import { oneLine } from '../render/prose.js';
import { type Run, verb } from '../verb.js';
import { eraseAsked } from './erase.js';

interface Options extends Record<string, unknown> {
  key?: string;
  reason?: string;
  yes?: boolean;
  dryRun?: boolean;
  mode: 'retract' | 'archive' | 'erase';
}

const names = ['kind', 'session_id', 'task_id', 'subject', 'tags', 'before', 'after', 'query'] as const;

export const forget = () =>
  verb<Options>(
    'forget',
    'serve it no longer; history keeps it, and restore brings it back',
    async (run, options, [id]) => {
      const named = { id, key: options.key };
      const filter = parameters(options, names);
      const filtered = Object.keys(filter).length > 0;
      if (timesNamed(named) + Number(filtered) !== 1)
        throw new HindsightError(
          'invalid_input',
          'Name one memory by its id or by --key, or several by a filter such as --tags.',
        );
      const reason = await reasonFor(options.reason ?? (options.dryRun ? 'dry run' : undefined));
      const opened = await run.open();
      const { mode } = options;
      const who = opened.caller('forget');
      const memory_id = filtered ? undefined : await idOf(named, opened.queries, who);
      if (mode === 'erase') {
        const meant = memory_id === undefined ? { filter } : { memory_ids: [memory_id] };
        await eraseAsked(run, options, {
          what: 'these memories',
          ask: (confirm) => opened.commands.erase({ ...meant, reason, ...(confirm ? { confirm } : {}) }, who),
        });
        return;
      }
      if (memory_id === undefined) return forgetMatching(run, opened, { filter, mode, reason }, options);
      if (options.dryRun) {
        const plan = planOfOne(await opened.queries.item(memory_id, who), mode);
        run.out.answer(plan, () => renderPlan(plan, run.out.width));
        return;
      }
      run.out.answer(await opened.commands.forget({ memory_id, mode, reason }, who), render(mode));
    },
    ['keyBackup'],
  )
    .argument('[memory-id]', 'as `search` names it; or several by the conditions below, which must all be met')
    .option('--key <slot>', 'the memory of this slot, instead of its id')
    .option('--reason <text>', 'why: it stays on record')
    .addOption(
      oneOf(
        '--mode <mode>',
        'retract: wrong or unwanted; archive: still true, but not worth serving; erase: destroy for good',
        ['retract', 'archive', 'erase'],
      ).default('retract'),
    )
    .addOption(oneOf('--kind <kind>', 'all of this kind', memoryKinds))
    .option('--session-id <id>', 'all written in this session')
    .option('--task-id <id>', 'all written for this task')
    .option('--subject <name>', 'all about this person')
    .option('--tags <list>', 'all with these tags, separated by commas', listed)
    .option('--before <time>', 'happened before this time')
    .option('--after <time>', 'happened at this time or later')
    .option('--query <words>', 'all that a search finds')
    .option('--dry-run', 'only show what would go')
    .option('--certificate <file>', 'of an erasure: write its certificate to a file')
    .option(...overwriteFlag)
    .option('--key-backup <file>', 'of an erasure: where the copy of the wrapped keys is made anew')
    .option('--no-key-backup', 'of an erasure: make none, although one was made before')
    .option('--yes', 'do not ask');

async function forgetMatching(run: Run, opened: Opened, input: ForgetInput, { dryRun, yes }: Options): Promise<void> {
  const { commands, caller } = opened;
  const who = caller('forget');
  const planned = await commands.forget(input, who);
  if (dryRun || planned.total === 0) {
    run.out.answer(planned, (plan) => renderPlan(plan, run.out.width));
    return;
  }
  if (!run.out.json) run.out.note(renderPlan(planned, run.out.width));
  if (!(await agreed(`Forget ${counted(planned.total ?? 0, 'memory', 'memories')}?`, yes)))
    return run.exitWith(exitCode.wrongUsage);
  run.out.answer(await commands.forget({ ...input, confirm: planned.confirm }, who), render(input.mode));
}

/** What forgetting one memory would come to, as a filter's dry run says it. */
function planOfOne({ id, version, status, content }: ItemAnswer, mode: Options['mode']): ForgetOutput {
  const would =
    status === (mode === 'archive' ? 'archived' : 'retracted')
      ? []
      : [{ memory_id: id, version, preview: content === undefined ? '' : oneLine(content, 120) }];
  return { status: 'dry_run', forgotten: [], would_forget: would, total: would.length };
}

const render = (mode: ForgetInput['mode']) => (done: ForgetOutput) => {
  const word = mode === 'archive' ? 'archived' : 'forgotten';
  if (done.status === 'unchanged') return `unchanged: it was ${word} before`;
  return `${word}: ${counted(done.forgotten.length, 'memory', 'memories')}\n${done.forgotten.join('\n')}`;
};

function renderPlan(plan: ForgetOutput, width: number): string {
  const shown = plan.would_forget ?? [];
  const rest = (plan.total ?? shown.length) - shown.length;
  return [
    `Would forget ${counted(plan.total ?? shown.length, 'memory', 'memories')}${shown.length > 0 ? ':' : '.'}`,
    ...shown.map(({ memory_id, preview }) => `  ${memory_id}  ${oneLine(preview, width - 40)}`),
    ...(rest > 0 ? [`  … and ${grouped(rest)} more`] : []),
  ].join('\n');
}
