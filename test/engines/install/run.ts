import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly folder?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly env?: Record<string, string>;
}

/**
 * Runs a program to its end.
 * @returns what it printed
 * @throws Error with the end of its output when it fails
 */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { folder, env, ...user } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    let output = '';
    let printed = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code ?? signal}:\n${output.slice(-2_000)}`));
    });
  });
}
