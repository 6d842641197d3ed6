import { Command, CommanderError } from 'commander';
import { exitCode } from './exit-codes.js';
import { endQuietlyWhenNobodyReads } from './output.js';
import { withCommonFlags } from './verb.js';
import { audit } from './verbs/audit.js';
import { backup } from './verbs/backup.js';
import { bank } from './verbs/bank.js';
import { config } from './verbs/config.js';
import { doctor } from './verbs/doctor.js';
import { erase } from './verbs/erase.js';
import { exportVerb } from './verbs/export.js';
import { feedback } from './verbs/feedback.js';
import { forget } from './verbs/forget.js';
import { history } from './verbs/history.js';
import { importVerb } from './verbs/import.js';
import { keys } from './verbs/keys.js';
import { migrate } from './verbs/migrate.js';
import { replay } from './verbs/replay.js';
import { restore } from './verbs/restore.js';
import { review } from './verbs/review.js';
import { seal } from './verbs/seal.js';
import { search } from './verbs/search.js';
import { serve } from './verbs/serve.js';
import { stats } from './verbs/stats.js';
import { subject } from './verbs/subject.js';
import { token } from './verbs/token.js';
import { verify } from './verbs/verify.js';
import { write } from './verbs/write.js';
import { version } from './version.js';

/** Parses and runs one command line; sets the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  endQuietlyWhenNobodyReads();
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? exitCode.done : exitCode.wrongUsage;
  }
}

/** All verbs, none of which has run. */
export function createProgram(): Command {
  const program = withCommonFlags(new Command('hindsight-ledger'))
    .description('The memory that an agent can be held to.\n\nWithout a verb: the MCP server over stdio.')
    .version(version, '-V, --version')
    .option('--roles <list>', 'of the server over stdio: what its client may do')
    .option('--profile <profile>', 'what it runs on: embedded (SQLite files in the home) or distributed (servers)')
    .option('--recall-record <mode>', 'relaxed, or strict: answers wait until they are on record')
    .enablePositionalOptions();
  for (const make of [
    write,
    search,
    history,
    feedback,
    forget,
    restore,
    erase,
    subject,
    review,
    stats,
    audit,
    importVerb,
    exportVerb,
    serve,
    token,
    bank,
    replay,
    verify,
    seal,
    migrate,
    keys,
    backup,
    doctor,
    config,
  ])
    program.addCommand(make());
  return endsByThrowing(program);
}

/** A command takes neither of its parent's: each is told. */
function endsByThrowing(command: Command): Command {
  command.exitOverride().showHelpAfterError('See --help.');
  for (const child of command.commands) endsByThrowing(child);
  return command;
}
