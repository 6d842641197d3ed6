/** Answers remembered per bank, and banks remembered: percentiles of the last thousand, 8 KiB each. */
const remembered = 1024;
const rememberedBanks = 64;

interface Window {
  readonly millis: Float64Array;
  readonly hits: Uint8Array;
  added: number;
}

export interface Latencies {
  /** Answers since the process started. */
  readonly count: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  /** Share of answers that held something; null before the first. */
  readonly hit_rate: number | null;
}

/** How long this process's last answers took, by bank. */
export interface LatencyWindow {
  add(bank: string, millis: number, hit: boolean): void;
  of(bank: string): Latencies;
}

export function latencyWindow(): LatencyWindow {
  const windows = new Map<string, Window>();
  return {
    add(bank, millis, hit) {
      const window = windows.get(bank) ?? {
        millis: new Float64Array(remembered),
        hits: new Uint8Array(remembered),
        added: 0,
      };
      windows.delete(bank);
      windows.set(bank, window);
      if (windows.size > rememberedBanks) windows.delete(windows.keys().next().value!);
      const at = window.added++ % remembered;
      window.millis[at] = millis;
      window.hits[at] = hit ? 1 : 0;
    },
    of(bank) {
      const window = windows.get(bank);
      if (!window) return { count: 0, p50_ms: 0, p95_ms: 0, p99_ms: 0, hit_rate: null };
      const held = Math.min(window.added, remembered);
      const sorted = window.millis.slice(0, held).sort();
      const hits = window.hits.subarray(0, held).reduce((sum, hit) => sum + hit, 0);
      return {
        count: window.added,
        p50_ms: percentile(sorted, 0.5),
        p95_ms: percentile(sorted, 0.95),
        p99_ms: percentile(sorted, 0.99),
        hit_rate: hits / held,
      };
    },
  };
}

/** Nearest rank, to a hundredth of a millisecond. */
function percentile(sorted: Float64Array, share: number): number {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return Math.round(value * 100) / 100;
}
