import { ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { Controller, Get, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { HTTP_LIMITS, type HttpLimits } from './http-deps.js';
import { MCP_SESSIONS, type McpSessions } from './mcp-sessions.js';
import { noRoom, tooMany } from './no-room.js';
import { RateGuard } from './rate.guard.js';
import { readJson } from './read-json.js';
import { Refusal } from './refusal.js';
import { type Authenticated, TokenGuard } from './token.guard.js';
import { trackCalls } from './track-calls.js';

/** Bytes that may wait for a client that does not read its stream; then it gets no more calls in. */
const mostUnread = 16 * 1024 * 1024;

/** The transport of MCP before March 2025: a stream of answers, and calls posted beside it. */
@Controller()
@UseGuards(TokenGuard, RateGuard)
export class SseController {
  constructor(
    @Inject(MCP_SESSIONS) private readonly sessions: McpSessions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
  ) {}

  @Get('sse')
  async stream(@Req() { access }: Authenticated, @Res() stream: ServerResponse): Promise<void> {
    const { sse, inFlight } = this.sessions;
    const room = sse.makeRoom(access.tokenId);
    if (room !== 'made') throw noRoom(room);
    const transport = new SSEServerTransport('/messages', stream);
    const server = this.sessions.serverFor(access);
    const id = transport.sessionId;
    transport.onclose = () => sse.remove(id);
    sse.add({ id, tokenId: access.tokenId, connection: { transport, stream }, close: () => server.close() });
    sse.use(id, stream);
    await server.connect(transport);
    trackCalls(transport, inFlight);
  }

  @Post('messages')
  async message(@Req() request: Authenticated, @Res() response: ServerResponse): Promise<void> {
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? undefined;
    const session = this.sessions.sse.find(id, request.access.tokenId);
    if (!session)
      throw new Refusal(404, 'invalid_input', 'There is no such session, or it ended.', {
        hint: 'Open GET /sse again.',
      });
    const { transport, stream } = session.connection;
    if (stream.writableLength > mostUnread) throw tooMany('The stream of this session is not being read.');
    await transport.handlePostMessage(request, response, await readJson(request, this.limits.bodyBytes));
  }
}
