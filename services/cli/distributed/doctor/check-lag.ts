import { counted } from '#query/mcp/render/shown.js';
import { type Looked, warning, well, wrong } from '../../doctor/finding.js';
import { moment } from '../../render/moment.js';
import type { ProjectionLag } from '../projection-state.js';

/** Events behind which projections count as late: a busy stack is always some behind. */
const late = 1_000;
/** Milliseconds after which what waits counts as late, however little it is: what is written is projected within a second. */
const longest = 60_000;

/** A projection in use, and how it stands to the ledger. */
export type Standing = Pick<ProjectionLag, 'projection' | 'events' | 'oldest' | 'isAtLeast'> & {
  /** A checkpoint lies beyond the ledger's head. */
  readonly isAhead: boolean;
};

/** How far the projections in use are. @param now milliseconds since the epoch */
export function checkLag(standings: readonly Standing[], now: number): Looked {
  if (standings.length === 0)
    return warning('projections', 'No projection is in use yet.', 'Start a projector and a relay.');
  const ahead = standings.filter(({ isAhead }) => isAhead);
  if (ahead.length > 0)
    return wrong(
      'projections',
      `${ahead.map(({ projection }) => projection).join(', ')} ${ahead.length === 1 ? 'has' : 'have'} come further than the ledger reaches: it is an older copy than the one they were made from. What it no longer holds is answered, and what is written now is not.`,
      'Run `hindsight-ledger replay`: it builds them from what the ledger holds.',
    );
  const waiting = standings.filter(
    ({ events, oldest }) => sum(events) > late || (oldest !== undefined && now - oldest > longest),
  );
  if (waiting.length === 0) return well('projections', `${counted(standings.length, 'projection')} up to date`);
  const since = Math.min(...waiting.map(({ oldest }) => oldest ?? now));
  const behind = waiting.map(
    ({ projection, events, isAtLeast }) =>
      `${projection} is ${isAtLeast ? 'at least ' : ''}${counted(sum(events), 'event')} behind`,
  );
  const isStuck = now - since > longest;
  return warning(
    'projections',
    `${behind.join(', ')}${isStuck ? `; the first was recorded ${moment(new Date(since).toISOString())}, and nothing written since is found by a search` : ''}.`,
    isStuck
      ? 'See whether a relay and a projector run, and what their /health/ready and logs say; where they are at it, wait, or start more projectors (up to one for each partition).'
      : 'Wait, or start more projectors (up to one for each partition); where it does not shrink, look at their logs.',
  );
}

const sum = (events: readonly number[]) => events.reduce((all, each) => all + each, 0);
