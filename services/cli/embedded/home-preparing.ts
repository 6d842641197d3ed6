import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { prepareInThread } from '#projector/preparing/prepare-in-thread.js';
import type { Preparation, PreparedAhead } from '#projector/preparing/preparing.js';

/** The files of a home that preparing its events needs. */
export interface OpensHome {
  readonly ledger: string;
  readonly keysDb: string;
  readonly masterKeyFile: string;
  /** The views that are rebuilt: their log is emptied while the thread has nothing else to do. */
  readonly views?: string;
}

const program = 'preparing-thread.js';

/**
 * Prepares the events of a home for a long rebuild in another thread; undefined where the sources run, which have no program for one, and on a
 * single processor, where two threads would only take more of it.
 * @param from where this runs: compiled, the program lies beside it; bundled, beside main.js, while this may be a chunk one folder down
 */
export function homePreparing(
  opens: OpensHome,
  from = import.meta.dirname,
): ((preparation: Preparation) => PreparedAhead) | undefined {
  if (availableParallelism() < 2) return undefined;
  const file = [from, dirname(from)].map((folder) => join(folder, program)).find((each) => existsSync(each));
  return file === undefined ? undefined : (preparation) => prepareInThread({ file, opens }, preparation);
}
