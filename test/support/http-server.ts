import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { entry } from './built-server.js';
import { command } from './command.js';
import { environment } from './environment.js';

export interface HttpServer {
  readonly url: string;
  /** What it wrote to stderr so far. */
  log(): string;
  /** Ends it as an operator does; answers its exit code. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Starts the built `serve` on a home and a free port. */
export async function startHttpServer(home: string, env: Readonly<Record<string, string>> = {}): Promise<HttpServer> {
  const child = spawn(process.execPath, [entry, 'serve', '--port', '0', '--json', '--home', home], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /"url":\s*"([^"]+)"/.exec(out)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}\n${out}${err}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await exited;
    return Number(code);
  };
  return { url, log: () => err, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) };
}

/** A token of the home's default bank. */
export async function createToken(home: string, name: string, roles: string): Promise<string> {
  const { stdout, stderr } = await command(home, ['token', 'create', name, '--roles', roles, '--json']);
  const token = /"token":\s*"([^"]+)"/.exec(stdout)?.[1];
  if (!token) throw new Error(`token create: ${stdout}${stderr}`);
  return token;
}
