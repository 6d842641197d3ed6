import { type Tracer, tracedEach } from '#telemetry/tracer.js';
import type { ProjectorDeps } from './fold/project-batch.js';

/** Tells the trace of each write when its rows could be read, up to a bound of events per commit. For `onCommitted`. */
export function tracedCommits(tracer: Tracer): NonNullable<ProjectorDeps['onCommitted']> {
  return ({ projections, events, took }) =>
    tracedEach(
      tracer,
      'projector commit',
      events,
      { kind: 'consumer', ids: { projection: projections.join(' ') } },
      took,
    );
}
