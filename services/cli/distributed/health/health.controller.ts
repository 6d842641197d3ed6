import { ServerResponse } from 'node:http';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { type Readiness, readinessAnswer } from '#query/mcp/http/readiness.js';

export const READINESS = Symbol('Readiness');

/** For whoever restarts or routes. */
@Controller('health')
export class HealthController {
  constructor(@Inject(READINESS) private readonly readiness: Readiness) {}

  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res() response: ServerResponse): Promise<void> {
    const { status, body } = await readinessAnswer(this.readiness);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  }
}
