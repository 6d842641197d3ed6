import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Types, lint and format, import rules, unused exports, house rules. Runs all of them and fails if one does. */
const failed = [];
const bin = (name) => join('node_modules', '.bin', name);

function run(title, command, args, expected = 0) {
  const done = spawnSync(command, args, { encoding: 'utf8' });
  const good = expected === 0 ? done.status === 0 : done.status !== 0 && done.status !== null;
  process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${title}\n`);
  if (!good) {
    failed.push(title);
    process.stdout.write(`${done.stdout}${done.stderr}\n`);
  }
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') continue;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|mjs)$/.test(entry.name)) yield path;
  }
}

function houseRules() {
  const broken = [];
  for (const root of ['libs', 'services', 'test', 'bench', 'scripts']) {
    for (const path of sources(root)) {
      const text = readFileSync(path, 'utf8');
      const lines = text.split('\n').length - 1;
      if (lines > 400) broken.push(`${path}: ${lines} lines; a file holds one idea in at most 400`);
      if (/from '\.\.\/\.\.\/\.\./.test(text))
        broken.push(`${path}: rooms import each other through package.json imports, not ../../..`);
      if (/(^|\/)index\.ts$/.test(path)) broken.push(`${path}: no barrels`);
    }
  }
  process.stdout.write(`${broken.length ? 'FAIL' : 'ok  '} house rules\n${broken.map((line) => `${line}\n`).join('')}`);
  if (broken.length) failed.push('house rules');
}

/** A cruiser that cannot read TypeScript or resolve `#…` checks nothing and passes: so a violation is planted, and must be found. */
function plantedViolation() {
  const folder = 'libs/events/planted-violation';
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(
      join(folder, 'planted.ts'),
      "import { roles } from '#contract/caller.js';\nexport const planted = roles;\n",
    );
    run('import rules find a planted violation', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', folder], 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

run('types', bin('tsc'), ['--noEmit', '-p', '.']);
run('lint and format', bin('biome'), ['check', '.']);
run('import rules', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'libs', 'services', 'bench']);
plantedViolation();
run('the Compose file', bin('dclint'), [
  '-c',
  'infra/.dclintrc.json',
  '--max-warnings',
  '0',
  'infra/docker-compose.yml',
]);
run('unused files, exports and dependencies', bin('knip'), []);
houseRules();
if (failed.length) process.stdout.write(`\n${failed.length} of the checks failed: ${failed.join(' · ')}\n`);
process.exitCode = failed.length ? 1 : 0;
