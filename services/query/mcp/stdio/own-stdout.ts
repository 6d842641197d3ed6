/** The real standard output, for the protocol alone. */
export interface OwnedStdout {
  /** False when the reader is slow: wait for `onDrain` before sending more. */
  write(text: string): boolean;
  onDrain(listener: () => void): void;
  /** The reader went away, or the disk behind a redirection is full. */
  onError(listener: (error: Error) => void): void;
  /** Waits until everything is written, or this many milliseconds. */
  flush(withinMs: number): Promise<void>;
}

/**
 * Takes standard output over for the protocol: whatever else writes to it from now on (a library, console.log, a thrown
 * error's print) goes to standard error. Call it before anything else is imported that might print.
 */
export function takeOverStdout(): OwnedStdout {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // A foreign end() would close the protocol's stream.
  stdout.end = () => stdout;
  // A client that closes our stderr must not end us by an EPIPE.
  stderr.on('error', () => {});
  for (const method of ['log', 'info', 'debug', 'dir', 'table', 'group'] as const) console[method] = console.error;
  return {
    write: (text) => write(text),
    onDrain: (listener) => void stdout.on('drain', listener),
    onError: (listener) => void stdout.on('error', listener),
    flush: (withinMs) => drained(stdout, withinMs),
  };
}

async function drained(stdout: NodeJS.WriteStream, withinMs: number): Promise<void> {
  if (stdout.writableLength === 0 || stdout.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    stdout.once('drain', done);
    stdout.once('close', done);
  });
}
