import { fromPosition } from './columns.js';
import type { Written } from './group-commit.js';

/**
 * A checkpoint is due every so many events of all processes together. A transaction of one event of 1 KB leaves six pages in the
 * log, so 512 of them make 12 MB; in one of a hundred, events share their pages, and 4,096 make 6 MB.
 */
const eventsBetween = { singly: 512, together: 4096 };
/** A transaction from which on events are taken to share pages. */
const together = 16;
/** … or bytes of this process, when events are large. */
const bytesBetween = 4 * 1024 * 1024;

/**
 * Whether a transaction made a checkpoint due. Whoever passes the mark makes it, so that of several processes neither all do nor each
 * leaves it to the others.
 */
export function checkpointMark(): (written: Written) => boolean {
  let bytesSince = 0;
  return ({ last, events, bytes }) => {
    if (last === undefined) return false;
    bytesSince += bytes;
    const every = events < together ? eventsBetween.singly : eventsBetween.together;
    const mark = (position: number) => Math.floor(position / every);
    const end = fromPosition(last);
    if (mark(end) === mark(end - events) && bytesSince < bytesBetween) return false;
    bytesSince = 0;
    return true;
  };
}
