import { createInterface } from 'node:readline/promises';
import { HindsightError } from '#contract/errors.js';

const onTerminal = () => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/**
 * Whether to go on with what destroys: `yes` answers, a terminal is asked, and anything else is refused.
 * @throws HindsightError invalid_input without a terminal and without --yes
 */
export async function agreed(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!onTerminal())
    throw new HindsightError(
      'invalid_input',
      `${question} Nobody can be asked here: --yes answers, and it is not given.`,
    );
  return /^y(es)?$/i.test((await asked(`${question} [y/N] `)).trim());
}

/** The reason that is given, else asked for on a terminal. @throws HindsightError invalid_input when there is none */
export async function reasonFor(given: string | undefined): Promise<string> {
  const reason = given ?? (onTerminal() ? (await asked('Why? It stays on record: ')).trim() : '');
  if (reason) return reason;
  throw new HindsightError('invalid_input', '--reason is missing: why it is done stays on record.');
}

async function asked(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
