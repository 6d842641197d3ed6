import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { HindsightError } from '#contract/errors.js';
import { counted } from '#query/mcp/render/shown.js';
import { exportBank } from '../export/export-bank.js';
import { exportRecalls } from '../export/export-recalls.js';
import { outputFile } from '../output-file.js';
import { verb } from '../verb.js';

interface Options {
  current?: boolean;
  recalls?: boolean;
  out?: string;
}

export const exportVerb = () =>
  verb<Options>(
    'export',
    'all versions of a bank, as lines that `import --format jsonl` reads',
    async (run, options) => {
      const { current, recalls, out } = options;
      if (current && recalls)
        throw new HindsightError('invalid_input', 'Give --current or --recalls: recalls have no versions.');
      const file = out === undefined ? undefined : await outputFile({ name: '--out', given: out }, run.loaded.config);
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
      };
      if (file === undefined) {
        for await (const text of texts()) if (!process.stdout.write(text)) await once(process.stdout, 'drain');
        return;
      }
      await pipeline(texts, createWriteStream(file, { mode: 0o600 })).catch((error: unknown) => {
        throw unwritten(file, error);
      });
      run.out.answer({ lines, file: options.out }, () => `${counted(lines, 'line')} written to ${options.out}`);
    },
  )
    .option('--current', 'only the latest version of what is served')
    .option('--recalls', 'instead: what was asked, what it was answered with, and how that was rated')
    .option('--out <file>', 'a file that only its owner may read; stdout by default');

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
