import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import type { EraseInput, ForgetOutput } from '#contract/forget.js';
import { counted, grouped } from '#query/mcp/render/shown.js';
import { agreed, reasonFor } from '../ask.js';
import { exitCode } from '../exit-codes.js';
import { listed, overwriteFlag, parameters } from '../options.js';
import { isWrittenTo, outputFile } from '../output-file.js';
import { oneLine, shown } from '../render/prose.js';
import { type Run, verb } from '../verb.js';

export interface EraseOptions extends Record<string, unknown> {
  subject?: string;
  memory?: string[];
  reason?: string;
  yes?: boolean;
  dryRun?: boolean;
  fingerprint?: boolean;
  certificate?: string;
  overwrite?: boolean;
}

/** Milliseconds that the verb waits for what others have to do; it goes on by itself afterwards. */
const patience = 60_000;

export const erase = () =>
  verb<EraseOptions>(
    'erase',
    'destroy for good all that is about a person, or some memories',
    async (run, options) => {
      const { subject, memory } = options;
      if (subject === undefined && !memory?.length)
        throw new HindsightError('invalid_input', 'Name a person by --subject, or memories by --memory.');
      const reason = await reasonFor(options.reason ?? (options.dryRun ? 'dry run' : undefined));
      const input: EraseInput = {
        ...parameters({ subject, memoryIds: memory }, ['subject', 'memory_ids']),
        reason,
        ...(options.fingerprint === false ? { fingerprints: false } : {}),
      };
      const opened = await run.open();
      await eraseAsked(run, options, {
        what: subject === undefined ? 'these memories' : shown(subject),
        ask: (confirm) => opened.commands.erase({ ...input, ...(confirm ? { confirm } : {}) }, opened.caller('erase')),
      });
    },
    ['keyBackup'],
  )
    .option(
      '--subject <name>',
      'the person: memories that name them or an alias as a subject, and what is derived from those',
    )
    .option('--memory <ids>', 'memories by their ids, separated by commas or repeated', listed)
    .option('--reason <text>', 'why: it stays on record, sealed; of a person’s erasure it goes with the person')
    .option('--dry-run', 'only show what would go')
    .option('--certificate <file>', 'write the certificate to a file')
    .option(...overwriteFlag)
    .option('--no-fingerprint', 'keep nothing by which an import would recognise what was erased')
    .option('--key-backup <file>', 'where the copy of the wrapped keys is made anew')
    .option('--no-key-backup', 'make none, although one was made before')
    .option('--yes', 'do not ask');

interface Asked {
  /** What goes, in words. */
  readonly what: string;
  /** Without `confirm` a dry run. */
  readonly ask: (confirm?: string) => Promise<ForgetOutput>;
  /** It goes as a whole: its memories are not named one by one, and counted beforehand. */
  readonly whole?: boolean;
}

/** Shows what would go, asks, erases, and waits until it is completed. */
export async function eraseAsked(run: Run, options: EraseOptions, { what, ask, whole = false }: Asked): Promise<void> {
  const certificateFile =
    options.certificate === undefined
      ? undefined
      : await outputFile({ name: '--certificate', given: options.certificate }, run.loaded.config, {
          overwrite: options.overwrite ?? false,
        });
  const planned = await ask();
  const { width } = run.out;
  if (options.dryRun || planned.confirm === undefined) {
    run.out.answer(planned, (plan) => renderPlan(plan, width));
    return;
  }
  if (!run.out.json) run.out.note(renderPlan(planned, width));
  const question = `Erase ${what} for good? Nobody can bring it back.`;
  if (!(await agreed(question, options.yes))) return run.exitWith(exitCode.wrongUsage);
  const until = Date.now() + patience;
  let done = await ask(planned.confirm);
  while (done.status === 'erasing' && Date.now() < until && !run.signal.aborted) {
    await sleep(500);
    done = await ask(planned.confirm);
  }
  const certificate = done.erasure?.certificate;
  if (certificateFile !== undefined && certificate)
    writeCertificate(certificateFile, certificate, { onlyNew: !options.overwrite && !isWrittenTo(certificateFile) });
  run.out.answer(done, (said) =>
    renderDone(
      said,
      options.certificate,
      run.loaded.config.masterKeyFile,
      whole ? { what, memories: planned.total ?? 0 } : undefined,
    ),
  );
  if (done.status !== 'erased' && !run.signal.aborted) run.exitWith(exitCode.notReachable);
}

/** @throws HindsightError not_writable: what was erased is erased, and whoever asks again is told of it */
function writeCertificate(file: string, certificate: object, { onlyNew }: { readonly onlyNew: boolean }): void {
  try {
    writeFileSync(file, `${JSON.stringify(certificate, null, 2)}\n`, { mode: 0o600, flag: onlyNew ? 'wx' : 'w' });
  } catch (cause) {
    throw new HindsightError(
      'not_writable',
      `All of it is erased, but the certificate cannot be written to ${file}: ${(cause as Error).message}. \`hindsight-ledger audit events --json\` names the erasure.`,
      { file },
      { cause },
    );
  }
}

function renderPlan({ total = 0, would_forget: some = [], erasure }: ForgetOutput, width: number): string {
  const { names = [], also_mentioned: more = 0, also_mentioned_in: mentions = [] } = erasure ?? {};
  const lines = (memories: typeof some, all: number) => [
    ...memories.map(({ memory_id, preview }) => `  ${memory_id}  ${oneLine(preview, width - 40)}`),
    ...(all > memories.length ? [`  … and ${grouped(all - memories.length)} more`] : []),
  ];
  return [
    ...(names.length > 1 ? [`Known as ${names.map(shown).join(', ')}.`] : []),
    total === 0 && names.length > 0
      ? 'No memory is about them: what would go are records of questions that name them, and the master key would be made anew. `subject alias` says that two names mean one person.'
      : `Would erase ${counted(total, 'memory', 'memories')}, every version of each${some.length > 0 ? ':' : '.'}`,
    ...lines(some, some.length > 0 ? total : 0),
    ...(more > 0
      ? [
          `${counted(more, 'memory mentions', 'memories mention')} a name and would stay (erase them too with --memory, if they are about the person):`,
          ...lines(mentions, more),
        ]
      : []),
  ].join('\n');
}

function renderDone(
  { status, forgotten, erasure = {} }: ForgetOutput,
  file: string | undefined,
  masterKeyFile: string,
  whole: { readonly what: string; readonly memories: number } | undefined,
): string {
  const memories = whole
    ? `${whole.what}, with its ${counted(whole.memories, 'memory', 'memories')}`
    : counted(forgotten.length, 'memory', 'memories');
  if (status !== 'erased')
    return `erasing: ${memories}, on record as ${erasure.id}. It goes on by itself, at the latest when a server starts. It waits: ${erasure.waits_for}`;
  const signed = erasure.certificate?.signature ? 'signed' : 'unsigned: `hindsight-ledger seal --sign` makes a key';
  return [
    whole
      ? `erased: ${memories} and all that was asked of it`
      : `erased: ${memories}, ${counted(erasure.recalls ?? 0, 'record')} of what was asked about them`,
    ...(erasure.left ?? []).map((id) => `left: ${id} changed meanwhile and was left: ask again`),
    `erasure ${erasure.id}, certificate ${file === undefined ? `(${signed}; --certificate writes it to a file)` : `in ${file} (${signed})`}`,
    `The master key was made anew: copy ${masterKeyFile} again, and let the former copy go.`,
  ].join('\n');
}
