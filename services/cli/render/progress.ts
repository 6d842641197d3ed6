import { grouped } from '#query/mcp/render/shown.js';
import type { Output } from '../output.js';

export interface Progress {
  /** `share` of the whole (0 to 1), where it is known. */
  at(done: number, share?: number): void;
  /** Takes the bar away, or says the last figure where there is no terminal. */
  end(): void;
}

const barEvery = 100;
const lineEvery = 5_000;

/** A bar on a terminal, a plain line every five seconds elsewhere; on stderr, so that stdout stays the answer. */
export function progress(
  out: Output,
  doing: string,
  unit: string,
  stream: NodeJS.WriteStream = process.stderr,
  now: () => number = performance.now.bind(performance),
): Progress {
  const began = now();
  const terminal = Boolean(stream.isTTY) && process.env.TERM !== 'dumb';
  let shownAt = terminal ? Number.NEGATIVE_INFINITY : began;
  let shown = false;
  const rateOf = (done: number) => {
    const seconds = (now() - began) / 1000;
    return seconds > 0.5 ? `, ${grouped(Math.round(done / seconds))}/s` : '';
  };
  const leftOf = (share: number | undefined) => {
    const seconds = (now() - began) / 1000;
    if (share === undefined || share <= 0 || seconds <= 2) return '';
    const left = Math.ceil((seconds * (1 - share)) / share);
    return left < 120 ? `, ${left} s left` : `, ${Math.ceil(left / 60)} min left`;
  };
  return {
    at(done, share) {
      if (now() - shownAt < (terminal ? barEvery : lineEvery)) return;
      shownAt = now();
      shown = true;
      const percent = share === undefined ? '' : ` (${Math.floor(share * 100)}%)`;
      const counted = `${grouped(done)} ${unit}${percent}`;
      if (!terminal) return out.note(`${doing}: ${counted}${rateOf(done)}${leftOf(share)}`);
      const bar = share === undefined ? '' : `[${'█'.repeat(Math.round(share * 24)).padEnd(24, '░')}] `;
      stream.write(`\r\u001b[K${doing} ${bar}${counted}${rateOf(done)}${leftOf(share)}`);
    },
    end() {
      if (terminal && shown) stream.write('\r\u001b[K');
    },
  };
}
