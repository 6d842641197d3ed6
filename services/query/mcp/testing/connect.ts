import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Role } from '#contract/caller.js';
import { createMcpServer } from '../create-mcp-server.js';
import type { McpLog } from '../log.js';
import { type FakePorts, fakePorts } from './fake-ports.js';

/** A log that keeps its lines as JSON, to look for what must not be in them. */
export function keptLog(): McpLog & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

export interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly ports: FakePorts;
  readonly log: ReturnType<typeof keptLog>;
}

/** The SDK's own client, connected to our server in this process. */
export async function connect(
  options: { roles?: readonly Role[]; ports?: FakePorts; bankName?: string } = {},
): Promise<Connected> {
  const { roles = ['reader', 'writer', 'auditor'], ports = fakePorts(), bankName = 'default' } = options;
  const log = keptLog();
  const caller = { bank: 'b0', principal: 'local:ada', roles };
  const server = createMcpServer({ ...ports, caller, bankName, log, version: '0.0.0' });
  const client = new Client({ name: 'spec', version: '1.0.0' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  // The client compiles the output schemas that it validates answers by when it lists.
  await client.listTools().catch(() => {});
  return { client, ports, log, [Symbol.asyncDispose]: () => client.close() };
}

/** The text of a tool's answer. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { text: string }[] };
  return content.map(({ text }) => text).join('\n');
}
