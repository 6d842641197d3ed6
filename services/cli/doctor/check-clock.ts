import { moment } from '../render/moment.js';
import { type Looked, warning, well } from './finding.js';

/** Clocks of machines that are set by a time server differ by far less; in milliseconds. */
const tolerated = 60_000;

/**
 * Whether events were stamped by a clock that runs ahead of this one.
 * @param systemTime the ledger's last moment (ISO); '' when it has none
 * @param now milliseconds since the epoch
 */
export function checkClock(systemTime: string, now: number): Looked {
  const ahead = systemTime === '' ? 0 : Date.parse(systemTime) - now;
  if (ahead <= tolerated) return well('clock', 'the ledger’s last moment is not ahead of this machine’s clock');
  return warning(
    'clock',
    `The ledger's last moment is ${moment(systemTime)}, ${span(ahead)} ahead of this machine's clock: a writer's clock was ahead, or this one is behind. Until then memories with a time to live expire early, and as_of a time before it does not show what is written now.`,
    'Set the clock that is wrong. Nothing is lost, and nothing needs mending: it passes when time has caught up.',
  );
}

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
