/** Ids and names that a span carries: never content. */
export type SpanIds = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  /** W3C trace context of what it belongs to; it begins a trace without one. */
  readonly parent?: string | undefined;
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly ids?: SpanIds;
}

/** Where spans go. A process that does not trace has none, and pays nothing. */
export interface Tracer {
  /** Runs work as a span. @param work is given the span's own trace context, for what it calls */
  span<T>(name: string, options: SpanOptions, work: (traceparent: string) => Promise<T>): Promise<T>;
  /** A span that is over already. @param took milliseconds since the epoch */
  past(name: string, options: SpanOptions, took: { readonly from: number; readonly to: number }): void;
}

/** Work as a span where the process traces; else with the context that it came with, so that others further on may. */
export function traced<T>(
  tracer: Tracer | undefined,
  name: string,
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  return tracer ? tracer.span(name, options, work) : work(options.parent);
}

/** Of a batch so many events are traced one by one: a catch-up of thousands says no more than its first ones. */
const mostPerBatch = 32;

/** A past span for each event of a batch that is traced, up to a bound. */
export function tracedEach(
  tracer: Tracer,
  name: string,
  events: Iterable<{ readonly id: string; readonly traceparent?: string | undefined }>,
  options: Omit<SpanOptions, 'parent'>,
  took: { readonly from: number; readonly to: number },
): void {
  let left = mostPerBatch;
  for (const { id, traceparent } of events) {
    if (traceparent === undefined) continue;
    if (left-- === 0) return;
    tracer.past(name, { ...options, parent: traceparent, ids: { ...options.ids, event: id } }, took);
  }
}
