import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { isHindsightError } from '#contract/errors.js';
import { isTraceparent } from '#events/traceparent.js';
import type { SpanIds, SpanOptions, Tracer } from '../tracer.js';

export interface OpenTracer {
  readonly tracer: Tracer;
  /** Of the span that the caller runs in, for its log lines. */
  traceId(): string | undefined;
  /** Sends what is left, and waits for it no longer than a few seconds. */
  close(): Promise<void>;
}

export interface TracerOptions {
  /** The collector, without the path `/v1/traces` that spans go to there; with user and password where it asks for them. */
  readonly url: string;
  /** What the process does, as traces name it: `hindsight-ledger-ingest`. */
  readonly service: string;
  readonly version: string;
  /** Milliseconds that spans are gathered for; 2,000 by default. */
  readonly everyMs?: number;
}

/** Milliseconds that a collector may take; what it does not take is dropped. */
const exportTimeout = 3_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Sends spans to an OpenTelemetry collector, in the background: one that is away or slow costs spans and nothing else. */
export function openTracer({ url, service, version, everyMs = 2_000 }: TracerOptions): OpenTracer {
  const exporter = new OTLPTraceExporter({ ...collectorAt(url), timeoutMillis: exportTimeout });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { scheduledDelayMillis: everyMs, exportTimeoutMillis: exportTimeout }),
    ],
  });
  const tracer = provider.getTracer('hindsight-ledger', version);
  const contexts = new AsyncLocalStorageContextManager().enable();

  const begin = (name: string, { parent, kind, ids }: SpanOptions, startTime?: number): [Span, Context] => {
    const context = contextOf(parent);
    const span = tracer.startSpan(
      name,
      {
        kind: kind ? kinds[kind] : SpanKind.INTERNAL,
        attributes: attributesOf(ids),
        ...(startTime === undefined ? {} : { startTime }),
      },
      context,
    );
    return [span, trace.setSpan(context, span)];
  };

  return {
    tracer: {
      async span(name, options, work) {
        const [span, context] = begin(name, options);
        try {
          return await contexts.with(context, () => work(traceparentOf(span)));
        } catch (error) {
          const code = isHindsightError(error) ? error.code : 'internal';
          span.setStatus({ code: SpanStatusCode.ERROR, message: code });
          throw error;
        } finally {
          span.end();
        }
      },
      past(name, options, { from, to }) {
        begin(name, options, from)[0].end(Math.max(from, to));
      },
    },
    traceId: () => trace.getSpanContext(contexts.active())?.traceId,
    async close() {
      contexts.disable();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, exportTimeout).unref()),
      ]);
    },
  };
}

/** Node's client takes no user out of an address that was parsed. */
function collectorAt(address: string): { url: string; headers?: Record<string, string> } {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  if (url.username === '') return { url: url.href };
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, headers: { Authorization: `Basic ${Buffer.from(user).toString('base64')}` } };
}

function contextOf(parent: string | undefined): Context {
  if (!isTraceparent(parent)) return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = parent.split('-') as [string, string, string, string];
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function attributesOf(ids: SpanIds = {}): Record<string, string | number> {
  return Object.fromEntries(Object.entries(ids).map(([name, value]) => [`hindsight_ledger.${name}`, value]));
}
