import { ServerResponse } from 'node:http';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { HTTP_DEPS, type HttpDeps } from './http-deps.js';
import { readinessAnswer } from './readiness.js';

/** For whoever restarts or routes: without a token, and without anything that is secret. */
@Controller('health')
export class HealthController {
  constructor(@Inject(HTTP_DEPS) private readonly deps: HttpDeps) {}

  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res() response: ServerResponse): Promise<void> {
    const { status, body } = await readinessAnswer(this.deps);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  }
}
