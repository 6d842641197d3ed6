import { ServerResponse } from 'node:http';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Metrics } from './meters.js';

export const METRICS = Symbol('Metrics');

/** For a scraper: without a token, and without anything that is secret. */
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(METRICS) private readonly metrics: Metrics) {}

  @Get()
  async read(@Res() response: ServerResponse): Promise<void> {
    const text = await this.metrics.read();
    response.writeHead(200, { 'Content-Type': this.metrics.contentType });
    response.end(text);
  }
}
