import { type DynamicModule, Module } from '@nestjs/common';
import type { Metrics } from './meters.js';
import { METRICS, MetricsController } from './metrics.controller.js';

@Module({})
class MetricsModule {}

/** GET /metrics. For processes of all roles. */
export function metricsModule(metrics: Metrics): DynamicModule {
  return {
    module: MetricsModule,
    controllers: [MetricsController],
    providers: [{ provide: METRICS, useValue: metrics }],
  };
}
