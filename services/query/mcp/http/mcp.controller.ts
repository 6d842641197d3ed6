import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { All, Controller, Inject, Req, Res, UseGuards } from '@nestjs/common';
import { type Access, HTTP_DEPS, HTTP_LIMITS, type HttpDeps, type HttpLimits } from './http-deps.js';
import { MCP_SESSIONS, type McpSessions } from './mcp-sessions.js';
import { noRoom } from './no-room.js';
import { demandCalls, RateGuard } from './rate.guard.js';
import { readJson } from './read-json.js';
import { Refusal } from './refusal.js';
import type { Session } from './sessions.js';
import { type Authenticated, TokenGuard } from './token.guard.js';

/** Streamable HTTP: POST carries calls, GET a stream for what the server sends by itself, DELETE ends the session. */
@Controller('mcp')
@UseGuards(TokenGuard, RateGuard)
export class McpController {
  constructor(
    @Inject(MCP_SESSIONS) private readonly sessions: McpSessions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    @Inject(HTTP_DEPS) private readonly deps: HttpDeps,
  ) {}

  @All()
  async handle(@Req() request: Authenticated, @Res() response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readJson(request, this.limits.bodyBytes) : undefined;
    // The first of a batch was counted before it was read.
    if (Array.isArray(body) && body.length > 1)
      await demandCalls(this.deps.rateLimit, request.access.tokenId, body.length - 1);
    if (request.method === 'POST') response.once('close', this.sessions.inFlight.begin());
    const { connection } = await this.session(request, body, response);
    await connection.handleRequest(request, response, body);
  }

  private async session(request: Authenticated, body: unknown, response: ServerResponse) {
    const { access, headers } = request;
    const id = headers['mcp-session-id']?.toString();
    const known = this.sessions.streamable.find(id, access.tokenId);
    if (known) {
      this.sessions.streamable.use(known.id, response);
      return known;
    }
    if (id !== undefined) throw noSession();
    if (!isInitializeRequest(body)) throw notInitialized();
    return this.open(access, response);
  }

  private async open(access: Access, response: ServerResponse): Promise<Session<StreamableHTTPServerTransport>> {
    const { streamable } = this.sessions;
    const room = streamable.makeRoom(access.tokenId);
    if (room !== 'made') throw noRoom(room);
    const id = randomUUID();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id, enableJsonResponse: true });
    const server = this.sessions.serverFor(access);
    const session = { id, tokenId: access.tokenId, connection: transport, close: () => server.close() };
    transport.onclose = () => streamable.remove(id);
    await server.connect(transport);
    streamable.add(session);
    streamable.use(id, response);
    return session;
  }
}

/** 404 tells a client to initialize anew. */
function noSession(): Refusal {
  return new Refusal(404, 'invalid_input', 'There is no such session, or it ended.', {
    hint: 'Initialize again.',
    rpcCode: -32001,
  });
}

function notInitialized(): Refusal {
  return new Refusal(400, 'invalid_input', 'This request has no Mcp-Session-Id and is no initialize request.', {
    hint: 'Initialize first, and send the session id that the answer carries.',
  });
}
