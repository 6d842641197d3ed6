import { openEmbedded } from '../embedded/open-embedded.js';
import type { ServerFlags } from '../server-flags.js';
import { runStdioServer } from './run-stdio-server.js';

/** The stdio server of the embedded profile, which agents wait for at every start: it is bundled by itself (scripts/bundle.mjs). */
export function serveEmbedded(flags: ServerFlags): Promise<void> {
  return runStdioServer(flags, 'embedded', openEmbedded);
}
