import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Answer } from '#test/support/built-server.js';

export interface StackClient {
  /** Never rejects for what the tool answers; rejects when the service cannot be reached. */
  call(tool: string, args: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

/** A real MCP client over Streamable HTTP. @param url of a query service */
export async function stackClient(url: string, token: string): Promise<StackClient> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    async call(tool, args) {
      const result = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: 120_000 });
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
