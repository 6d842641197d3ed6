import { rmSync, writeFileSync } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import { allProjections } from '#projector/projections/all-projections.js';
import type { Replayed, ReplayedProjection, ReplayOptions } from '#projector/replay.js';
import { chosen, insistOnPosition } from '#projector/replay-asked.js';
import { replayInto } from '#projector/replay-into.js';
import { counted, grouped } from '#query/mcp/render/shown.js';
import { thereAlready } from '#sealing/write-whole.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { exitCode } from '../exit-codes.js';
import type { Opened } from '../opened.js';
import { listed, overwriteFlag } from '../options.js';
import { replacedFile } from '../output-file.js';
import { progress } from '../render/progress.js';
import { type Run, verb } from '../verb.js';

interface Options {
  projection?: string[];
  to?: string;
  out?: string;
  overwrite?: boolean;
  check?: boolean;
  dropFormer?: boolean;
}

export const replay = () =>
  verb<Options>('replay', 'build the read models anew beside those in use, then switch', async (run, options) => {
    const { projection: projections, to, check, dropFormer } = options;
    refuseMixed(options);
    chosen(allProjections, projections);
    const file = options.out === undefined ? undefined : await outFile(options.out, options, run);
    const opened = await run.open({ missingBank: 'leave', writesViews: file === undefined });
    if (dropFormer) return run.out.answer(await dropFormerOf(opened), renderDropped);
    const bar = progress(run.out, 'Replaying', 'events');
    const asked: ReplayOptions = {
      projections,
      to,
      check: check ? 'only' : false,
      signal: run.signal,
      onProgress: ({ events, share }) => bar.at(events, share),
    };
    const work = file === undefined ? opened.projector.replay(asked) : intoFile(opened, file, asked, options.overwrite);
    const done = await work.finally(() => bar.end());
    run.out.answer(file === undefined ? done : { ...done, file }, (each) => render(each, file));
    if (done.projections.some(({ matches }) => matches === false)) run.exitWith(exitCode.foundWrong);
  })
    .option('--projection <list>', 'only these, separated by commas', listed)
    .option(
      '--to <position>',
      'only look: build up to this position (as `verify` writes it), say the digests; --out keeps it',
    )
    .option('--out <file>', 'build into this new SQLite file instead, to look at with any tool')
    .option(...overwriteFlag)
    .option('--check', 'only compare every row with the ones in use; exit code 1, and the first that differs')
    .option('--drop-former', 'remove what was in use before the last replay');

function refuseMixed({ to, out, check, dropFormer, projection }: Options): void {
  const given = [check && '--check', to !== undefined && '--to', out !== undefined && '--out'].filter(Boolean);
  const isMixed = (check && given.length > 1) || (dropFormer && (given.length > 0 || projection));
  if (isMixed)
    throw new HindsightError(
      'invalid_input',
      `${[dropFormer && '--drop-former', ...given].filter(Boolean).join(' and ')} do not go together: --check compares what is in use, --to and --out build beside it, --drop-former builds nothing.`,
    );
}

/** What SQLite would take for the journals of a file that is made. */
const journals = ['-wal', '-shm', '-journal'] as const;

/** A file that is there already may be anything, and so may what SQLite would take for its journals. */
async function outFile(given: string, { overwrite = false }: Options, { loaded }: Run): Promise<string> {
  const name = '--out';
  const file = await replacedFile({ name, given }, loaded.config, { overwrite });
  for (const suffix of journals) await replacedFile({ name, given: file + suffix }, loaded.config, { overwrite });
  return file;
}

async function intoFile(
  { ledger, vault, log }: Opened,
  file: string,
  asked: ReplayOptions,
  overwrite = false,
): Promise<Replayed> {
  // A file that holds nothing would be in the way the next time.
  if (asked.to !== undefined) insistOnPosition(asked.to, await ledger.head());
  if (overwrite) for (const suffix of ['', ...journals]) rmSync(file + suffix, { force: true });
  takeName(file);
  const views = await openSqliteViews(file, {
    ledger: ledger.id,
    shapes: allProjections,
    log: { info: () => undefined, warn: (fields, sentence) => log.warn(fields, sentence) },
  });
  try {
    return await replayInto({ ledger, vault, views, log }, allProjections, asked);
  } finally {
    await views.close();
  }
}

/** Two at once would build into one file. */
function takeName(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? thereAlready(file, cause) : cause;
  }
}

async function dropFormerOf({ views }: Opened): Promise<{ dropped: { projection: string; generation: number }[] }> {
  const former = (await views.generations()).filter((each) => each.former);
  const dropped = former.map(({ projection, generation }) => ({ projection, generation }));
  if (dropped.length) await views.drop(dropped);
  return { dropped };
}

function renderDropped({ dropped }: Awaited<ReturnType<typeof dropFormerOf>>): string {
  if (dropped.length === 0) return 'No former generation is kept.';
  return `Removed ${dropped.map(({ projection, generation }) => `generation ${generation} of ${projection}`).join(', ')}.`;
}

function render({ status, events, seconds, projections }: Replayed, file: string | undefined): string {
  const rate = seconds > 0 ? `, ${grouped(Math.round(events / seconds))}/s` : '';
  const head = `${counted(events, 'event')} replayed in ${seconds.toFixed(1)} s${rate}`;
  if (status === 'cancelled' && file !== undefined) return `${head}. Stopped: ${file} holds what was built so far.`;
  if (status === 'cancelled') return `${head}. Stopped: the next replay goes on from there.`;
  return [`${head}${said(status, file)}`, ...projections.map(line)].join('\n');
}

function said(status: Replayed['status'], file: string | undefined): string {
  if (file !== undefined) return ` into ${file}`;
  if (status === 'looked') return ' (only looked: nothing was switched)';
  if (status === 'checked') return ' (only compared: nothing was switched)';
  return '; what was in use before is kept until the next replay, an erasure or `replay --drop-former`';
}

function line({ projection, generation, rows, digest, matches, difference }: ReplayedProjection): string {
  const same = matches === undefined ? '' : matches ? ', same as before' : ', DIFFERS from before';
  const lines = [`  ${projection.padEnd(12)}${counted(rows, 'row')}, generation ${generation}${same}`];
  if (digest) lines.push(`              ${digest}`);
  if (difference) {
    const { table, key, inUse, rebuilt, columns } = difference;
    lines.push(
      `              first in ${table} ${JSON.stringify(key)}${columns.length ? `, in ${columns.join(', ')}` : ''}`,
      `              in use ${inUse ?? 'no such row'}`,
      `              rebuilt ${rebuilt ?? 'no such row'}`,
    );
  }
  return lines.join('\n');
}
