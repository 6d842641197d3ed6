import { fromPosition } from './columns.js';
import type { Written } from './group-commit.js';

/**
 * A checkpoint is due every so many events of all processes together: 512 single appends of 1 KB make a log of about 12 MB, which
 * takes some 10 ms to write back, or to recover from after a kill.
 */
const eventsBetween = 512;
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
    const mark = (position: number) => Math.floor(position / eventsBetween);
    const end = fromPosition(last);
    if (mark(end) === mark(end - events) && bytesSince < bytesBetween) return false;
    bytesSince = 0;
    return true;
  };
}
