import { isHindsightError } from '#contract/errors.js';
import { counted } from '#query/mcp/render/shown.js';
import type { Opened } from '../opened.js';
import { checkClock } from './check-clock.js';
import { checkErasures } from './check-erasures.js';
import { type Looked, well, wrong } from './finding.js';

/** Opens the home as a verb would, and looks at the read models. */
export async function checkViews(open: () => Promise<Opened>): Promise<Looked[]> {
  let opened: Opened;
  try {
    opened = await open();
  } catch (error) {
    if (isHindsightError(error)) return [wrong('opening', error.message, error.hint)];
    throw error;
  }
  const { projector, views, sources, commands } = opened;
  try {
    await projector.catchUp();
  } catch (error) {
    if (isHindsightError(error)) return [wrong('views', error.message, error.hint)];
    throw error;
  }
  const rebuild = async () => {
    const { events } = await projector.replay();
    const left = (await projector.deadLetters()).length;
    return `views.db was built anew from ${counted(events, 'event')}${left > 0 ? `; ${counted(left, 'event')} still cannot be projected` : ''}.`;
  };
  const letters = await projector.deadLetters();
  const active = (await views.generations()).filter((generation) => generation.active);
  const times = active.map(({ systemTime }) => systemTime).sort();
  const clock = checkClock(times.at(-1) ?? '', sources.now());
  if (letters.length > 0) {
    const [first] = letters;
    return [
      wrong(
        'views',
        `${counted(letters.length, 'event')} could not be projected and are set aside, with what follows in their streams. The first is ${first!.type} ${first!.eventId}: ${first!.reason}`,
        'Run `hindsight-ledger replay` with a release that can read them.',
        rebuild,
      ),
      clock,
    ];
  }
  // Opening began with them: what is left then waits for something.
  await commands.resumeErasures();
  await projector.catchUp();
  const waiting = checkErasures(await views.reader().unfinishedErasures());
  return [well('views', `${counted(active.length, 'projection')} up to date`), clock, ...waiting];
}
