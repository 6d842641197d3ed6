import { inspect } from 'node:util';
import { isHindsightError } from '#contract/errors.js';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Where a verb writes: people's text or one JSON document on stdout, everything on the way on stderr. */
export interface Output {
  readonly json: boolean;
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  /** Columns of the terminal, 100 where there is none. */
  readonly width: number;
  print(text?: string): void;
  /** The answer: `value` as JSON with --json, else what `text` makes of it. */
  answer<T>(value: T, text: (value: T) => string): void;
  note(text: string): void;
  error(error: unknown): void;
  style(style: Style, text: string): string;
}

/** Colours only on a terminal, and never when NO_COLOR is set (no-color.org). */
export function createOutput(
  json: boolean,
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
  env: NodeJS.ProcessEnv = process.env,
): Output {
  const terminal = Boolean(stdout.isTTY);
  const coloured = terminal && !env.NO_COLOR && env.TERM !== 'dumb';
  const output: Output = {
    json,
    terminal,
    width: stdout.columns || 100,
    print: (text = '') => void stdout.write(`${text}\n`),
    answer(value, text) {
      output.print(json ? JSON.stringify(value, null, terminal ? 2 : undefined) : text(value));
    },
    note: (text) => void stderr.write(`${text}\n`),
    error(error) {
      const { code, message, hint, details } = described(error);
      if (json) output.print(JSON.stringify({ error: { code, message, hint, details } }));
      else output.note([`${code}: ${message}`, hint].filter(Boolean).join('\n'));
    },
    style(style, text) {
      const [on, off] = inspect.colors[style]!;
      return coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
  };
  return output;
}

function described(error: unknown) {
  if (isHindsightError(error)) return error;
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message, hint: 'This is a fault of the program: please report it.', details: undefined };
}

/** `… | head` closes the pipe early: that is how it is meant to end. */
export function endQuietlyWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
}
