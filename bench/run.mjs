import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** `npm run bench -- NAME [--json] [--full] [--data DIR] …`: compiles, then runs bench/NAME.ts, which says what it takes. */
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => /^[a-z-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -3));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    data: { type: 'string', default: '../shared/data' },
    full: { type: 'boolean' },
    // Of benches that write steadily: so many a second, for so long.
    rate: { type: 'string' },
    seconds: { type: 'string' },
    // Of recall: how many memories.
    sizes: { type: 'string' },
    // Of quality: which sets, how many questions of each (of recall, too), where imported homes are kept, how many unrelated memories in each bank, all
    // conversations in one bank, each leg alone, how many of the worst questions are printed, which legs are off, by which profile it is ranked.
    set: { type: 'string' },
    limit: { type: 'string' },
    cache: { type: 'string' },
    mixed: { type: 'string' },
    pool: { type: 'boolean' },
    legs: { type: 'boolean' },
    worst: { type: 'string' },
    without: { type: 'string' },
    ranking: { type: 'string' },
    // Of tune: a folder for the candidates as numbers; or a recall log with the bank that it is of, and where its own weights go.
    dump: { type: 'string' },
    write: { type: 'boolean' },
    'from-log': { type: 'string' },
    home: { type: 'string' },
    bank: { type: 'string' },
    out: { type: 'string' },
  },
});
const [name] = positionals;
if (!names.includes(name ?? '')) {
  process.stderr.write(
    `npm run bench -- NAME [--json] [--full] [--data DIR] [--rate N] [--seconds N] [--sizes N,N] [--set A,B] [--limit N] [--cache DIR] [--mixed N] [--pool] [--legs] [--worst N] [--without LEG,LEG] [--ranking PROFILE] [--from-log FILE --home DIR --bank NAME --out FILE], with NAME among ${names.join(', ')}\n`,
  );
  process.exit(2);
}
spawnSync('node', ['scripts/ensure-installed.mjs'], { stdio: 'inherit' });
const built = spawnSync('node', ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (built.status !== 0 || !existsSync('dist/build/bench')) process.exit(1);
const { default: run } = await import(`../dist/build/bench/${name}.js`);
await run(values);
// Clients of engines may keep connections for a while.
process.exit();
