import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { errorCodes } from '#contract/errors.js';
import { isEventType } from '#events/catalogue.js';
import type { Meters, Metrics, ProjectionLag } from '../meters.js';

const prefix = 'hindsight_ledger_';

/** Seconds. A search takes milliseconds, a remote append some tens of them. */
const answerBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Seconds. 250 ms is what most of them may take (docs/performance.md); after an outage it is minutes. */
const visibleBuckets = [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** What commands answer with where they did not fail. */
const statuses = new Set([
  'ok',
  'stored',
  'unchanged',
  'quarantined',
  'conflict',
  'error',
  'dry_run',
  'forgotten',
  'restored',
  'rated',
  'released',
  'rejected',
  'erased',
  'erasing',
  'recorded',
  'passed',
]);

/** One registry for the process: docs/metrics.md says what each figure means. */
export function prometheusMeters(): Meters & Metrics {
  const registry = new Registry();
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: prefix + name, help, labelNames, registers: [registry] });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: prefix + name, help, labelNames, registers: [registry] });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name: prefix + name, help, labelNames, buckets, registers: [registry] });

  const appended = counter('appended_events_total', 'Events stored in the ledger by this process.', ['type']);
  const commands = counter('commands_total', 'Commands answered by this process.', ['command', 'outcome']);
  const recalls = histogram('recall_seconds', 'Time that a leg of a recall took.', ['leg'], answerBuckets);
  const cache = counter('cache_requests_total', 'Entries asked for in a cache.', ['cache', 'outcome']);
  const visible = histogram(
    'visible_seconds',
    'Time from recording an event until a projection shows it.',
    ['projection'],
    visibleBuckets,
  );
  const relayActive = gauge('relay_active', '1 while this process relays.');
  const relayed = counter('relayed_events_total', 'Events published by this process.');
  const relayPosition = gauge('relay_position_timestamp_seconds', 'System time of the last event published.');
  const lagEvents = gauge(
    'projection_lag_events',
    'Events that change an answer and that a projection has not taken in.',
    ['projection'],
  );
  const lagSeconds = gauge('projection_lag_seconds', 'Age of the oldest of them.', ['projection']);
  const deadLetters = gauge('dead_letters', 'Events that a projection has set aside.', ['projection']);

  let measure: () => Promise<readonly ProjectionLag[]> | readonly ProjectionLag[] = () => [];

  return {
    appended: (type, events) => appended.inc({ type: isEventType(type) ? type : 'other' }, events),
    commanded: (command, outcome) =>
      commands.inc({ command, outcome: statuses.has(outcome) || outcome in errorCodes ? outcome : 'other' }),
    recalled: (leg, seconds) => recalls.observe({ leg }, seconds),
    lookedUp: (name, outcome) => cache.inc({ cache: name, outcome }),
    becameVisible: (projection, seconds) => visible.observe({ projection }, seconds),
    relaying: (isActive) => relayActive.set(isActive ? 1 : 0),
    relayed(events, systemTime) {
      relayed.inc(events);
      if (systemTime !== '') relayPosition.set(Date.parse(systemTime) / 1000);
    },
    lagFrom(from) {
      measure = from;
    },
    contentType: registry.contentType,
    async read() {
      const lags = await (async () => measure())().catch(() => []);
      for (const { projection, ...figures } of lags) {
        lagEvents.set({ projection }, figures.lagEvents);
        lagSeconds.set({ projection }, figures.lagSeconds);
        deadLetters.set({ projection }, figures.deadLetters);
      }
      return registry.metrics();
    },
  };
}
