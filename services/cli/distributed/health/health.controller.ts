import { ServerResponse } from 'node:http';
import { Controller, Get, Inject, Res } from '@nestjs/common';

/** What is missing before the process does its work, in words; empty when it is ready. */
export type Missing = () => Promise<readonly string[]>;

export const MISSING = Symbol('Missing');

/** For whoever restarts or routes. */
@Controller('health')
export class HealthController {
  constructor(@Inject(MISSING) private readonly missing: Missing) {}

  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res() response: ServerResponse): Promise<void> {
    const missing = await this.missing();
    response.writeHead(missing.length === 0 ? 200 : 503, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(missing.length === 0 ? { status: 'ready' } : { status: 'not ready', missing }));
  }
}
