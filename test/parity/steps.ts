import { setTimeout as sleep } from 'node:timers/promises';

/** The commands of a run, one after another, and when each was under way by the clock that the services share with this process. */
export interface Steps {
  /** Runs the next step, so that no time (in milliseconds) belongs to two. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** So many began. */
  readonly count: number;
  /** A time after all that this step wrote, and before what any later one did. */
  after(step: number): string;
  /** Undefined for a time that lies before the run. */
  named(time: number): string | undefined;
  /** @param roundedBy how many milliseconds it may have lost */
  isInRun(time: number, roundedBy?: number): boolean;
}

/** @param laterBy milliseconds after a time of the run at which something else falls, such as an expiry */
export function countSteps(laterBy: readonly number[] = []): Steps {
  const began = Date.now();
  const windows: { from: number; to: number }[] = [];
  const isInRun = (time: number, roundedBy = 0) => time >= began - roundedBy && time <= Date.now() + 1_000;
  return {
    async step(work) {
      while (Date.now() <= (windows.at(-1)?.to ?? began)) await sleep(1);
      const window = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      windows.push(window);
      try {
        return await work();
      } finally {
        window.to = Date.now();
      }
    },
    get count() {
      return windows.length;
    },
    after(step) {
      const window = windows[step];
      if (!window) throw new Error(`There is no step ${step} yet, only ${windows.length}.`);
      return new Date(window.to).toISOString();
    },
    named(time) {
      const later = [0, ...laterBy].find((by) => isInRun(time - by));
      if (later === undefined) return undefined;
      const at = windows.findIndex(({ from, to }) => from <= time - later && time - later <= to);
      return `<${at < 0 ? 'between steps' : `step ${at}`}${later ? ` and ${later} ms` : ''}>`;
    },
    isInRun,
  };
}
