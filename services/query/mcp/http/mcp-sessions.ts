import type { ServerResponse } from 'node:http';
import type { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpServer } from '../create-mcp-server.js';
import type { Access, HttpDeps, HttpLimits } from './http-deps.js';
import { createInFlight, type InFlight } from './in-flight.js';
import { createSessions, type Sessions } from './sessions.js';

/** The older transport, and the response that is its stream. */
export interface SseConnection {
  readonly transport: SSEServerTransport;
  readonly stream: ServerResponse;
}

/** The sessions of both transports, and what belongs to opening one. */
export interface McpSessions {
  readonly streamable: Sessions<StreamableHTTPServerTransport>;
  readonly sse: Sessions<SseConnection>;
  readonly inFlight: InFlight;
  serverFor(access: Access): ReturnType<typeof createMcpServer>;
  sweep(): void;
  closeAll(): Promise<void>;
}

export const MCP_SESSIONS = Symbol('McpSessions');

export function createMcpSessions(deps: HttpDeps, limits: HttpLimits): McpSessions {
  const { log, version } = deps;
  const options = {
    most: limits.sessions,
    idleMs: limits.sessionIdleMs,
    now: Date.now,
    onError: () => log.warn({}, 'a session did not close cleanly'),
  };
  const streamable = createSessions<StreamableHTTPServerTransport>(options);
  const sse = createSessions<SseConnection>(options);
  return {
    streamable,
    sse,
    inFlight: createInFlight(),
    serverFor: ({ bank, bankName, principal, roles }) =>
      createMcpServer({
        // Asked for now: a service may listen before its engines are there.
        commands: deps.commands,
        queries: deps.queries,
        log,
        version,
        tracer: deps.tracer,
        bankName,
        caller: { bank, principal, roles },
      }),
    sweep() {
      streamable.sweep();
      sse.sweep();
    },
    async closeAll() {
      await Promise.all([streamable.closeAll(), sse.closeAll()]);
    },
  };
}
