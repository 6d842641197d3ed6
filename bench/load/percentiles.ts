export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly mean: number;
}

/** Nearest-rank percentiles; same unit as the samples. */
export function percentiles(samples: readonly number[]): Percentiles {
  const sorted = [...samples].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), mean };
}

export function inMilliseconds(times: Percentiles): string {
  return `p50 ${times.p50.toFixed(2)} ms, p95 ${times.p95.toFixed(2)} ms, p99 ${times.p99.toFixed(2)} ms`;
}
