import { ServerResponse } from 'node:http';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { HTTP_DEPS, type HttpDeps } from './http-deps.js';

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
    const missing = await this.deps.missing();
    response.writeHead(missing.length === 0 ? 200 : 503, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(missing.length === 0 ? { status: 'ready' } : { status: 'not ready', missing }));
  }
}
