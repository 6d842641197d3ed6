import type { Config } from '#config/settings.js';
import type { Meters, Metrics } from '#telemetry/meters.js';
import { prometheusMeters } from '#telemetry/prometheus/prometheus-meters.js';
import type { Tracer } from '#telemetry/tracer.js';
import { version } from '../version.js';

/** What a process of the distributed profile tells of itself. */
export interface Telemetry {
  readonly meters: Meters;
  /** For /metrics. */
  readonly metrics: Metrics;
  /** Undefined where nobody asked for traces: then nothing of them is loaded. */
  readonly tracer: Tracer | undefined;
  /** For the log's lines; undefined where nothing is traced. */
  readonly traceId: (() => string | undefined) | undefined;
  close(): Promise<void>;
}

/** @param role names the process in traces: `query`, or `all` */
export async function openTelemetry({ otlpUrl }: Pick<Config, 'otlpUrl'>, role: string): Promise<Telemetry> {
  const meters = prometheusMeters();
  const tracing = otlpUrl
    ? (await import('#telemetry/otlp/open-tracer.js')).openTracer({
        url: otlpUrl,
        service: `hindsight-ledger-${role}`,
        version,
      })
    : undefined;
  return {
    meters,
    metrics: meters,
    tracer: tracing?.tracer,
    traceId: tracing?.traceId,
    close: async () => tracing?.close(),
  };
}
