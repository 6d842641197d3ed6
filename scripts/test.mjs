import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything that CI runs, on a fresh clone too: installs what is missing, then checks, tests and builds, and tests what was
 * built. Stops at the first step that fails and says how to run it alone.
 */
const steps = [
  { name: 'install', command: ['node', 'scripts/ensure-installed.mjs'] },
  { name: 'check', command: ['node', 'scripts/check.mjs'] },
  { name: 'kernels as their sources make them', command: ['node', 'models/kernels/build.mjs', '--check'] },
  { name: 'build', command: ['node', 'scripts/build.mjs'] },
  { name: 'unit', command: ['vitest', 'run', '--project', 'unit'] },
  { name: 'real files and processes', command: ['vitest', 'run', '--project', 'int'] },
  { name: 'real engines', command: ['vitest', 'run', '--project', 'engines'] },
  { name: 'the built product over real MCP', command: ['vitest', 'run', '--project', 'e2e'] },
  { name: 'the same calls to both profiles', command: ['vitest', 'run', '--project', 'parity'] },
  { name: 'bad days under load, a tenth', command: ['vitest', 'run', '--project', 'chaos'] },
];

let passed = 0;
let failed = 0;
const began = Date.now();
for (const step of steps) {
  const [program, ...args] = step.command;
  const local = join('node_modules', '.bin', program);
  const started = Date.now();
  process.stdout.write(`\n== ${step.name}: ${step.command.join(' ')}\n`);
  const done = spawnSync(existsSync(local) ? local : program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  process.stdout.write(done.stdout ?? '');
  // An error that belongs to no test is told on stderr alone: kept with the rest, since logs of CI show one stream and its end.
  (done.status === 0 ? process.stderr : process.stdout).write(done.stderr ?? '');
  const counts = /Tests\s+(?:(\d+) failed \| )?(?:(\d+) passed)?/.exec(done.stdout ?? '');
  if (counts) {
    failed += Number(counts[1] ?? 0);
    passed += Number(counts[2] ?? 0);
  }
  process.stdout.write(
    `== ${step.name}: ${done.status === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
  );
  if (done.status !== 0) {
    if (!counts?.[1]) failed++;
    process.stdout.write(`\nRun this step alone with: npx ${step.command.join(' ')}\n`);
    break;
  }
}
process.stdout.write(
  `\nall steps in ${((Date.now() - began) / 1000).toFixed(0)} s\n${passed} passed, ${failed} failed\n`,
);
process.exitCode = failed ? 1 : 0;
