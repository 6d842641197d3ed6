import type { StackClient } from '#test/stack/mcp-client.js';
import type { Finished } from '#test/support/command.js';

export interface TokenOptions {
  /** Made where it is not there; `default` by default. */
  readonly bank?: string;
  /** `reader,writer` by default. */
  readonly roles?: string;
  /** Whoever writes with it is the principal `token:<name>`. */
  readonly name: string;
}

/** One way to run the built product: as processes that are spoken to over MCP and by the command, like anybody does. */
export interface Profile {
  readonly name: 'embedded' | 'distributed';
  client(token: string): Promise<StackClient>;
  token(options: TokenOptions): Promise<string>;
  /** Runs a verb. */
  command(args: readonly string[], options?: { readonly input?: string }): Promise<Finished>;
  /** SIGKILL to all of its processes, and starts them again; resolves when they are ready. Connections are gone. */
  restart(): Promise<void>;
  /** What its processes wrote so far. */
  log(): string;
  close(): Promise<void>;
}

/** @throws Error with what the command said, when it failed */
export async function madeToken(
  command: Profile['command'],
  { bank = 'default', roles = 'reader,writer', name }: TokenOptions,
): Promise<string> {
  if (bank !== 'default') await command(['bank', 'create', bank]);
  const { stdout, stderr } = await command(['token', 'create', name, '--roles', roles, '--bank', bank, '--json']);
  const token = /"token":\s*"([^"]+)"/.exec(stdout)?.[1];
  if (!token) throw new Error(`token create: ${stdout}${stderr}`);
  return token;
}
