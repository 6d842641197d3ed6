// node models/kernels/build.mjs [--check]: makes the .wasm files of the C files beside this one; with --check, compares instead.
// Zig's compiler comes as a Python wheel, which gives the same bytes on every machine: pip install ziglang==0.17.1
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const cache = resolve(here, '..', '..', 'node_modules', '.cache', 'hindsight-ledger-zig-0.17.1');
const wheel = 'ziglang==0.17.1';
const relaxed = ['-mrelaxed-simd', '-DRELAXED'];
const builds = [
  { from: 'network.c', to: 'network-plain.wasm', flags: [] },
  { from: 'network.c', to: 'network-relaxed.wasm', flags: relaxed },
  { from: 'scan.c', to: 'scan.wasm', flags: [] },
  { from: 'overview.c', to: 'overview.wasm', flags: [] },
];
// No contraction: a fused multiply and add rounds otherwise, and the builds would differ.
const common =
  '--target=wasm32-freestanding -O3 -msimd128 -ffp-contract=off -fno-builtin -nostdlib -Wl,--no-entry -Wl,--strip-all';

const isRequired = process.env.HINDSIGHT_LEDGER_ENGINES === 'required';
const isCheck = process.argv.includes('--check');
const python = withZig();
if (!python) {
  console.log(
    `The kernels were not rebuilt: there is no Python with ${wheel} (HINDSIGHT_LEDGER_ZIG_PYTHON names one).`,
  );
  process.exit(isCheck && !isRequired ? 0 : 1);
}
mkdirSync(cache, { recursive: true });
const scratch = mkdtempSync(join(cache, 'build-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
let differ = 0;
for (const { from, to, flags } of builds) {
  const made = join(scratch, to);
  run(python, ['-m', 'ziglang', 'cc', ...common.split(' '), ...flags, from, '-o', made], {
    cwd: here,
    stdio: 'inherit',
  });
  const bytes = readFileSync(made);
  const kept = join(here, to);
  const isSame = existsSync(kept) && readFileSync(kept).equals(bytes);
  if (!isCheck) writeFileSync(kept, bytes);
  else if (!isSame) differ++;
  console.log(
    `${to}: ${bytes.length} bytes, ${isSame ? 'as committed' : isCheck ? 'NOT what is committed' : 'written'}`,
  );
}
if (differ) {
  console.log('Run node models/kernels/build.mjs and commit what it writes.');
  process.exit(1);
}

/** A Python that has the wheel: the one that is named, the machine's own, or one made for this. */
function withZig() {
  const own = join(cache, 'bin', 'python');
  const candidates = [process.env.HINDSIGHT_LEDGER_ZIG_PYTHON, own, 'python3'].filter(Boolean);
  const found = candidates.find((candidate) => hasZig(candidate));
  // A hundred megabytes are not fetched unasked: CI asks, and so does who builds.
  if (found || (isCheck && !isRequired)) return found;
  const made =
    succeeds('python3', ['-m', 'venv', cache]) &&
    succeeds(own, ['-m', 'pip', 'install', '--quiet', wheel]) &&
    hasZig(own);
  return made ? own : undefined;
}

function hasZig(candidate) {
  const version = wheel.split('==')[1];
  const asked = `import sys, importlib.metadata as m; sys.exit(m.version('ziglang') != '${version}')`;
  return succeeds(candidate, ['-c', asked]);
}

function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function run(command, args, options) {
  if (spawnSync(command, args, options).status !== 0) process.exit(1);
}
