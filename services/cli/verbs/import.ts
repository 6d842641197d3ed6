import { createReadStream, statSync } from 'node:fs';
import type { Caller } from '#contract/caller.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { type ImportFormatName, type ImportSummary, importFile, importFormats } from '#ingest/formats/import-file.js';
import { knownBy } from '#ingest/formats/own-records.js';
import { counted, grouped } from '#query/mcp/render/shown.js';
import { exitCode } from '../exit-codes.js';
import type { Opened } from '../opened.js';
import { oneOf } from '../options.js';
import { progress } from '../render/progress.js';
import { oneLine } from '../render/prose.js';
import { type Run, verb } from '../verb.js';

interface Options {
  format?: ImportFormatName;
  bankFrom?: string;
  source?: string;
  allowErased?: boolean;
  embed: boolean;
}

export const importVerb = () =>
  verb<Options>('import', 'store a file’s memories, each only once', async (run, options, [file = '-']) => {
    const { format, bankFrom, source, allowErased } = options;
    if (format === undefined) throw noFormat();
    const input = inputOf(file);
    const opened = await run.open({ missingBank: 'leave' });
    const { caller } = opened;
    const commands = makingBank(opened);
    const bar = progress(run.out, 'Importing', 'records');
    const summary = await importFile(input.chunks(), format, commands, caller('import'), {
      bankFrom,
      source,
      allowErased,
      knownBy: knownBy(opened.ledger),
      signal: run.signal,
      onProgress: ({ read }) => bar.at(read, input.share()),
    }).finally(() => bar.end());
    run.out.answer(summary, () => render(summary));
    if (summary.failed > 0) run.exitWith(exitCode.foundWrong);
    if (options.embed && !run.signal.aborted) await embed(run, opened);
  })
    .argument('[file]', '- or nothing reads stdin')
    .addOption(
      oneOf(
        '--format <format>',
        'required; turns: turns of conversations; jsonl: memories; server-memory: its graph',
        Object.keys(importFormats),
      ),
    )
    .option('--bank-from <field>', 'the field of a record that names its bank')
    .option('--source <name>', 'tells the ids of this source from equal ones of others')
    .option('--allow-erased', 'store values that were erased, too: each event says so')
    .option('--no-embed', 'leave finding by meaning to a later process: keywords find what is imported');

/** Said here, since the parser of options would not name them. */
function noFormat(): HindsightError {
  return new HindsightError(
    'invalid_input',
    `--format is missing: it says what the file is. Accepted: ${Object.keys(importFormats).join(', ')}; what \`export\` wrote is jsonl.`,
    { parameter: 'format', accepted: Object.keys(importFormats) },
  );
}

/** A bank that is not there yet is made by the first record that can be imported: a file with none leaves no empty one behind. */
function makingBank({ commands, config, bank }: Opened): Parameters<typeof importFile>[2] {
  const made = async (caller: Caller) => {
    // Where records name their banks, each is made by its own.
    if (caller.bank === bank) await commands.bankNamed(config.bank, 'make');
  };
  return {
    bankNamed: commands.bankNamed,
    async importItems(items, caller) {
      await made(caller);
      return commands.importItems(items, caller);
    },
    forget: commands.forget,
    review: commands.review,
  };
}

/** What was imported is found by its words already; by its meaning once it is embedded. That it cannot be is no failure of the import. */
async function embed(run: Run, { projector, embedding }: Opened): Promise<void> {
  if (!embedding) return;
  await projector.catchUp();
  const bar = progress(run.out, 'Embedding', 'memories');
  try {
    await embedding.untilDone({
      signal: run.signal,
      onProgress: ({ done, of }) => bar.at(done, of > 0 ? done / of : 1),
    });
    if (run.signal.aborted)
      run.out.note('Not all is embedded: a server on this home goes on with it, and so does the next import.');
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    run.out.note(`Not embedded, so it is found by its words alone for now: ${error.message}`);
  } finally {
    bar.end();
  }
}

/** The bytes of a file, and how much of it has been read. @throws HindsightError file_not_found */
function inputOf(file: string): { chunks(): AsyncIterable<Uint8Array>; share(): number | undefined } {
  if (file === '-') return { chunks: () => process.stdin, share: () => undefined };
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new HindsightError('file_not_found', `There is no file ${file}.`, { file });
  if (found.isDirectory()) throw new HindsightError('file_not_found', `${file} is a folder, not a file.`, { file });
  const stream = createReadStream(file);
  return {
    chunks: () => stream,
    share: () => (found.isFile() && found.size > 0 ? Math.min(stream.bytesRead / found.size, 1) : undefined),
  };
}

/** Characters of a problem: all the fields that a record may have are told in fewer. */
const longestTold = 2_000;

function render(summary: ImportSummary): string {
  const { read, stored, unchanged, forgotten, failed, problems, noted, notes, banks, stopped } = summary;
  const counts = [
    `${grouped(stored)} stored`,
    unchanged > 0 ? `${grouped(unchanged)} were there already` : undefined,
    forgotten > 0 ? `${grouped(forgotten)} forgotten` : undefined,
    failed > 0 ? `${grouped(failed)} failed` : undefined,
  ];
  const told = (lines: ImportSummary['problems'], all: number) => [
    ...lines.map(({ line, message }) => `  line ${line}: ${oneLine(message, longestTold)}`),
    ...(all > lines.length ? [`  … and ${counted(all - lines.length, 'more', 'more')}`] : []),
  ];
  return [
    `${counted(read, 'record')} read: ${counts.filter(Boolean).join(', ')}`,
    ...(banks.length > 0 ? [`into ${counted(banks.length, 'bank')}`] : []),
    ...told(problems, failed),
    ...(noted > 0 ? ['Imported, but not wholly as they are:', ...told(notes, noted)] : []),
    ...(stopped ? ['Stopped. What was read is stored; import the file again to go on.'] : []),
  ].join('\n');
}
