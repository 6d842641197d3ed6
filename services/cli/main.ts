import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { serverFlags } from './server-flags.js';

// Node 22.8 and newer keep compiled code between starts. In the user's own cache folder: what lies in a shared temporary
// folder could be another user's code.
(module as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hindsight-ledger', 'compiled'),
);

const args = process.argv.slice(2);
const flags = serverFlags(args);

// Agents wait for the server at every start, so it loads without the command's parser, and the command without the server.
if (flags) {
  // Either exits, where the profile is its own.
  const { serveEmbedded } = await import('./stdio/embedded-server.js');
  await serveEmbedded(flags);
  const { serveDistributed } = await import('./stdio/distributed-server.js');
  await serveDistributed(flags);
} else {
  const { runProgram } = await import('./program.js');
  await runProgram(args);
}
