import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { HindsightError } from '#contract/errors.js';
import type { Readiness } from '#query/mcp/http/readiness.js';
import type { Metrics } from '#telemetry/meters.js';
import { metricsModule } from '#telemetry/metrics.module.js';
import { HealthController, READINESS } from './health.controller.js';

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

@Module({})
class HealthModule {}

function healthModule(readiness: Readiness, metrics: Metrics): DynamicModule {
  return {
    module: HealthModule,
    imports: [metricsModule(metrics)],
    controllers: [HealthController],
    providers: [{ provide: READINESS, useValue: readiness }],
  };
}

/**
 * Live, ready and the figures, for a service that serves nothing else over HTTP. @param port 0 takes any free one
 * @throws HindsightError unreachable when it cannot listen there
 */
export async function startHealth(
  readiness: Readiness,
  metrics: Metrics,
  host: string,
  port: number,
): Promise<HealthServer> {
  const app = await NestFactory.create(healthModule(readiness, metrics), new ExpressAdapter(), {
    logger: false,
    abortOnError: false,
    bodyParser: false,
    forceCloseConnections: true,
  });
  app.getHttpAdapter().getInstance().disable('x-powered-by');
  try {
    await app.listen(port, host);
  } catch (cause) {
    await app.close();
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another program listens there' : code;
    throw new HindsightError(
      'unreachable',
      `Cannot listen on ${host} port ${port}: ${why}.`,
      { host, port },
      { cause },
    );
  }
  const taken = (app.getHttpServer().address() as { port: number }).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () => app.close(),
  };
}
