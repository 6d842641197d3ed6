import type { Replayed } from '#projector/replay.js';
import { counted, grouped } from '#query/mcp/render/shown.js';
import { exitCode } from '../exit-codes.js';
import { listed } from '../options.js';
import { progress } from '../render/progress.js';
import { verb } from '../verb.js';

interface Options {
  projection?: string[];
  to?: string;
  check?: boolean;
}

export const replay = () =>
  verb<Options>('replay', 'build the read models anew beside those in use, then switch', async (run, options) => {
    const { projector } = await run.open({ missingBank: 'leave', writesViews: true });
    const bar = progress(run.out, 'Replaying', 'events');
    const { projection: projections, to, check } = options;
    const done = await projector
      .replay({ projections, to, check, signal: run.signal, onProgress: ({ events }) => bar.at(events) })
      .finally(() => bar.end());
    run.out.answer(done, render);
    if (done.projections.some(({ matches }) => matches === false)) run.exitWith(exitCode.foundWrong);
  })
    .option('--projection <list>', 'only these, separated by commas', listed)
    .option(
      '--to <position>',
      'only look: build up to this position (as `verify` writes it), say the digests, and drop it again',
    )
    .option('--check', 'compare every row with the ones in use');

function render({ status, events, seconds, projections }: Replayed): string {
  const rate = seconds > 0 ? `, ${grouped(Math.round(events / seconds))}/s` : '';
  const head = `${counted(events, 'event')} replayed in ${seconds.toFixed(1)} s${rate}`;
  if (status === 'cancelled') return `${head}. Stopped: the next replay goes on from there.`;
  const lines = projections.map(({ projection, generation, rows, digest, matches }) => {
    const same = matches === undefined ? '' : matches ? ', same as before' : ', DIFFERS from before';
    return `  ${projection.padEnd(12)}${counted(rows, 'row')}, generation ${generation}${same}${digest ? `\n              ${digest}` : ''}`;
  });
  return [`${head}${status === 'looked' ? ' (only looked: nothing was switched)' : ''}`, ...lines].join('\n');
}
