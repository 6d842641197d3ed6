import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { metricsModule } from '#telemetry/metrics.module.js';
import { HealthController } from './health.controller.js';
import { HTTP_DEPS, HTTP_LIMITS, type HttpDeps, type HttpLimits } from './http-deps.js';
import { McpController } from './mcp.controller.js';
import { MCP_SESSIONS, type McpSessions } from './mcp-sessions.js';
import { RateGuard } from './rate.guard.js';
import { RefusalFilter } from './refusal.filter.js';
import { SseController } from './sse.controller.js';
import { TokenGuard } from './token.guard.js';

@Module({})
class HttpModule {}

/** What HTTP serves, over the given ports. */
export function httpModule(deps: HttpDeps, limits: HttpLimits, sessions: McpSessions): DynamicModule {
  return {
    module: HttpModule,
    imports: deps.metrics ? [metricsModule(deps.metrics)] : [],
    controllers: [McpController, SseController, HealthController],
    providers: [
      TokenGuard,
      RateGuard,
      { provide: HTTP_DEPS, useValue: deps },
      { provide: HTTP_LIMITS, useValue: limits },
      { provide: MCP_SESSIONS, useValue: sessions },
      { provide: APP_FILTER, useClass: RefusalFilter },
    ],
  };
}
