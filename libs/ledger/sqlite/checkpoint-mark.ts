import type { AppendRequest } from './write-append.js';

/**
 * A checkpoint is due every so many events of all processes together: 512 single appends of 1 KB make a log of about 12 MB, which
 * takes some 10 ms to write back, or to recover from after a kill.
 */
const eventsBetween = 512;
/** … or bytes of this process, when events are large. */
const bytesBetween = 4 * 1024 * 1024;

export interface CheckpointMark {
  /** Whether the group of appends that was just written makes a checkpoint due. */
  due(written: readonly AppendRequest[]): boolean;
}

/** Whoever passes the mark makes the checkpoint, so that of several processes neither all do nor each leaves it to the others. */
export function checkpointMark(head: () => number): CheckpointMark {
  let bytes = 0;
  return {
    due(written) {
      let events = 0;
      for (const each of written) {
        events += each.events.length;
        for (const event of each.events) bytes += event.bytes.byteLength;
      }
      const last = head();
      const passed = Math.floor(last / eventsBetween) !== Math.floor((last - events) / eventsBetween);
      if (!passed && bytes < bytesBetween) return false;
      bytes = 0;
      return true;
    },
  };
}
