import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { environment } from './environment.js';
import { projectRoot } from './project-root.js';

/** The built command: what `npx hindsight-ledger` runs. */
export const entry = join(projectRoot, 'dist', 'bundle', 'main.js');

export interface Answer {
  readonly isError: boolean;
  readonly structured: Record<string, unknown>;
  readonly text: string;
}

export interface BuiltServer {
  readonly client: Client;
  readonly pid: number;
  /** What the server wrote to stderr so far. */
  readonly log: () => string;
  readonly call: (tool: string, args: Record<string, unknown>) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Starts the built stdio server on a home and connects a real MCP client to it. */
export async function startServer(
  home: string,
  options: { args?: readonly string[]; env?: Record<string, string>; node?: string } = {},
): Promise<BuiltServer> {
  const transport = new StdioClientTransport({
    command: options.node ?? process.execPath,
    args: [entry, ...(options.args ?? [])],
    env: environment({ HINDSIGHT_LEDGER_HOME: home, ...options.env }),
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`the server did not start: ${String(error)}\n${log}`);
  });
  return {
    client,
    pid: transport.pid ?? 0,
    log: () => log,
    async call(tool, args) {
      const result = await client.callTool({ name: tool, arguments: args });
      const text = (result.content as { type: string; text?: string }[]).map((part) => part.text ?? '').join('\n');
      return {
        isError: result.isError === true,
        structured: (result.structuredContent ?? {}) as Record<string, unknown>,
        text,
      };
    },
    close: () => client.close(),
  };
}

export function temporaryHome(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'hindsight-ledger-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
