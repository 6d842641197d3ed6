import type { RecallLeg } from '#events/recall-settings.js';

/** Told how many seconds a leg took to look at all docs. */
export type OnLeg = (leg: RecallLeg, seconds: number) => void;

/** Does the work of a leg, and tells how long it took. */
export function timed<T>(leg: RecallLeg, onLeg: OnLeg | undefined, work: () => T): T {
  if (!onLeg) return work();
  const began = performance.now();
  const done = work();
  onLeg(leg, (performance.now() - began) / 1000);
  return done;
}
