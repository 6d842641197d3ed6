import { Agent, request } from 'node:http';

/** MCP over Streamable HTTP that costs the load generator next to nothing: kept connections, JSON, no schema checks. */
export interface HttpClient {
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): void;
}

/** @param url of a query service @throws Error with what the server answered */
export async function connectHttp(url: string, token: string): Promise<HttpClient> {
  // Below the server's 5 s, so that no request goes out on a connection that it is closing.
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 3_000 });
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  let next = 0;

  function post(message: object): Promise<{ session: string | undefined; text: string }> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return new Promise((resolve, reject) => {
      const length = { 'Content-Length': Buffer.byteLength(body) };
      const sent = request(`${url}/mcp`, { method: 'POST', agent, headers: { ...headers, ...length } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if ((answer.statusCode ?? 0) >= 300) reject(new Error(`${answer.statusCode}: ${text.slice(0, 400)}`));
          else resolve({ session: answer.headers['mcp-session-id']?.toString(), text });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const clientInfo = { name: 'bench', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const { session } = await post({ id: next++, method: 'initialize', params });
  if (session !== undefined) headers['Mcp-Session-Id'] = session;
  await post({ method: 'notifications/initialized' });
  return {
    async call(tool, args) {
      const { text } = await post({ id: next++, method: 'tools/call', params: { name: tool, arguments: args } });
      const { result, error } = JSON.parse(text) as {
        result?: { isError?: boolean; content?: unknown; structuredContent?: Record<string, unknown> };
        error?: { message: string };
      };
      if (error) throw new Error(error.message);
      if (result?.isError) throw new Error(JSON.stringify(result.content));
      return result?.structuredContent ?? {};
    },
    close: () => agent.destroy(),
  };
}
