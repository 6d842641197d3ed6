// npm run quickstart: from a fresh clone with nothing installed to the first answers. Node's built-ins only up to the tour.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, requireNode } from './ensure-installed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const started = Date.now();

requireNode();
// --built: by tests, which have installed and built already.
if (!process.argv.includes('--built')) {
  ensureInstalled();
  build();
}
const { tour } = await import('./quickstart/tour.mjs');
await tour({ started });

function build() {
  process.stderr.write('Building … ');
  const began = Date.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--no-check'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(`failed.\n${stdout}${stderr}\n`);
    process.exit(1);
  }
  process.stderr.write(`${((Date.now() - began) / 1000).toFixed(0)} s\n`);
}
