import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { HindsightError } from '#contract/errors.js';
import { counted } from '#query/mcp/render/shown.js';
import { writeWhole } from '#sealing/write-whole.js';
import { exportBank } from '../export/export-bank.js';
import { exportRecalls } from '../export/export-recalls.js';
import { overwriteFlag } from '../options.js';
import { isWrittenTo, outputFile, replacedFile } from '../output-file.js';
import { verb } from '../verb.js';

interface Options {
  current?: boolean;
  recalls?: boolean;
  out?: string;
  overwrite?: boolean;
}

/** Characters that are written at once. */
const written = 256 * 1024;

export const exportVerb = () =>
  verb<Options>(
    'export',
    'all versions of a bank, as lines that `import --format jsonl` reads',
    async (run, options) => {
      const { current, recalls, out, overwrite = false } = options;
      if (current && recalls)
        throw new HindsightError('invalid_input', 'Give --current or --recalls: recalls have no versions.');
      // A device is written to; a file is there when all of it is.
      const inPlace = out !== undefined && isWrittenTo(out);
      const checked = inPlace ? outputFile : replacedFile;
      const file =
        out === undefined ? undefined : await checked({ name: '--out', given: out }, run.loaded.config, { overwrite });
      const { ledger, vault, bank, sources } = await run.open();
      let lines = 0;
      const texts = async function* () {
        const { signal } = run;
        const exported = recalls
          ? exportRecalls(ledger, vault, bank, signal)
          : exportBank(ledger, vault, bank, { current, now: sources.now(), signal });
        for await (const line of exported) {
          lines++;
          yield `${JSON.stringify(line)}\n`;
        }
        // Half an export looks like a whole one.
        if (file !== undefined) signal.throwIfAborted();
      };
      if (file === undefined) {
        for await (const text of texts()) if (!process.stdout.write(text)) await once(process.stdout, 'drain');
        return;
      }
      if (inPlace)
        await pipeline(texts, createWriteStream(file)).catch((error: unknown) => {
          throw unwritten(file, error);
        });
      else await writeWhole(file, together(texts()), { onlyNew: !overwrite });
      run.out.answer({ lines, file: options.out }, () => `${counted(lines, 'line')} written to ${options.out}`);
    },
  )
    .option('--current', 'only the latest version of what is served')
    .option('--recalls', 'instead: what was asked, what it was answered with, and how that was rated')
    .option('--out <file>', 'a file that only its owner may read; stdout by default')
    .option(...overwriteFlag);

/** A write to the disk for each line would take longer than the lines do. */
async function* together(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let kept = '';
  for await (const text of texts) {
    kept += text;
    if (kept.length < written) continue;
    yield kept;
    kept = '';
  }
  if (kept) yield kept;
}

/** What the disk says; whatever else ends an export is no fault of the file. */
function unwritten(file: string, error: unknown): unknown {
  const { code, path, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof HindsightError || (path !== file && syscall !== 'write')) return error;
  return new HindsightError(
    code === 'ENOSPC' ? 'disk_full' : 'not_writable',
    `${file} cannot be written: ${message}.`,
    { file },
    { cause: error },
  );
}
