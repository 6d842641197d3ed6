/** Milliseconds that a slice may hold the event loop for; 20 is what a waiting request should not notice. */
const aim = 12;
const bounds = { least: 4, most: 500 };

/** How many events the next slice takes, learnt from how long the last one held the event loop. */
export function sliceLimit(): () => { events: number; took: (ms: number) => void } {
  let events = 16;
  return () => ({
    events,
    took: (ms) => {
      const next = Math.round((events * aim) / Math.max(ms, 0.5));
      // Grows slowly: one cheap slice says little about the next.
      events = Math.max(bounds.least, Math.min(bounds.most, next, events * 2));
    },
  });
}
