import { openDistributed } from '../distributed/open-distributed.js';
import type { ServerFlags } from '../server-flags.js';
import { runStdioServer } from './run-stdio-server.js';

/** The stdio server of the distributed profile. */
export function serveDistributed(flags: ServerFlags): Promise<void> {
  return runStdioServer(flags, 'distributed', openDistributed);
}
