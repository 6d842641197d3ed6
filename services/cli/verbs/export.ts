import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { counted } from '#query/mcp/render/shown.js';
import { exportBank } from '../export/export-bank.js';
import { verb } from '../verb.js';

interface Options {
  current?: boolean;
  out?: string;
}

export const exportVerb = () =>
  verb<Options>(
    'export',
    'all versions of a bank, as lines that `import --format jsonl` reads',
    async (run, options) => {
      const { ledger, vault, bank, sources } = await run.open();
      const target = options.out === undefined ? process.stdout : createWriteStream(options.out, { mode: 0o600 });
      const opened = options.out === undefined ? undefined : once(target, 'open');
      await opened;
      let lines = 0;
      const { current } = options;
      for await (const line of exportBank(ledger, vault, bank, { current, now: sources.now(), signal: run.signal })) {
        lines++;
        if (!target.write(`${JSON.stringify(line)}\n`)) await once(target, 'drain');
      }
      if (target === process.stdout) return;
      target.end();
      await once(target, 'close');
      run.out.answer({ lines, file: options.out }, () => `${counted(lines, 'line')} written to ${options.out}`);
    },
  )
    .option('--current', 'only the latest version of what is served')
    .option('--out <file>', 'a file that only its owner may read; stdout by default');
