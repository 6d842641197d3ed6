import { parseMillis } from '#contract/time.js';
import { everHeld } from '../history/ever-held.js';
import { askedFilter } from '../recall/asked.js';
import { given } from '../recall/to-item.js';
import { type Asked, atOnce, type Placed } from './asked-rows.js';
import { parseDuration } from './duration.js';
import { eventsBetween, type MemoryRowEvent } from './events-between.js';
import { by, isVersion, reasonOf, rowOfEvent } from './what-happened.js';

/** Recorded so much later than it became true, it counts as retroactive where nothing else is said. */
const usualDelay = '1h';

/** Who wrote what, when and why, in the order of the ledger. */
export function who(asked: Asked): AsyncIterable<Placed> {
  return rows(asked, () => true, rowOfEvent);
}

/** Everything that was recorded later than a given time after it became true. */
export function retroactive(asked: Asked): AsyncIterable<Placed> {
  const delay = parseDuration('by', asked.input.by ?? usualDelay);
  const late = (event: MemoryRowEvent) =>
    isVersion(event) ? Date.parse(event.recordedAt) - Date.parse(event.validFrom) : -1;
  return rows(
    asked,
    (event) => isVersion(event) && late(event) > delay,
    async (_, event) => ({ ...(await rowOfEvent(asked, event)), late_by: late(event) / 1000 }),
  );
}

/** The events themselves: where they stand in the ledger, and the hash that vouches for each. */
export function events(asked: Asked): AsyncIterable<Placed> {
  const { view } = asked;
  return rows(
    asked,
    () => true,
    async (_, event) => {
      const [moment] = await view.reader.momentsBySeq(view.bank, [event.seq]);
      return {
        memory_id: event.memoryId,
        ...given('version', event.version),
        type: event.type,
        stream: event.stream,
        ...given('position', moment?.position),
        ...given('hash', moment?.hash),
        ...by(event),
        ...given('why', await reasonOf(asked, event)),
      };
    },
  );
}

async function* rows(
  asked: Asked,
  isMeant: (event: MemoryRowEvent) => boolean,
  toRow: (asked: Asked, event: MemoryRowEvent) => Promise<Placed['row']>,
): AsyncGenerator<Placed> {
  const { view, input, memoryId } = asked;
  const { principal, from, to } = input;
  const filter = askedFilter(input, view.keys);
  const docs = filter && (await view.reader.docsWhere(view.bank, filter));
  const after = Math.max(asked.after, from === undefined ? 0 : await momentBefore(asked, 'from', from));
  const upTo = to === undefined ? view.seq : Math.min(view.seq, await momentBefore(asked, 'to', to));
  const isAbout = aboutValidTime(asked);
  const between = { after, upTo, docs, memoryId, atOnce: atOnce(asked) };
  let part: MemoryRowEvent[] = [];
  const opened = async () => {
    const made = await Promise.all(part.map(async (event) => ({ place: event.seq, row: await toRow(asked, event) })));
    part = [];
    return made;
  };
  for await (const event of eventsBetween(view, between)) {
    if (principal !== undefined && event.principal !== principal) continue;
    if (!isMeant(event) || !(await isAbout(event))) continue;
    part.push(event);
    if (part.length === between.atOnce) yield* await opened();
  }
  yield* await opened();
}

/**
 * Whether an event is about a time that is asked about: a version where it was ever said to hold then; what was done to a memory where
 * one of its versions was by then.
 */
function aboutValidTime({ view, input }: Asked): (event: MemoryRowEvent) => boolean | Promise<boolean> {
  const held = everHeld(view, input);
  if (!held) return () => true;
  return async (event) => {
    if (isVersion(event)) return held(event.doc);
    const spans = await view.reader.spansOf(view.bank, event.memoryId);
    return spans.some(({ doc }) => held(doc, event.seq));
  };
}

/** The last moment before a time, by what the ledger's own clock said. */
async function momentBefore({ view }: Asked, parameter: string, time: string): Promise<number> {
  const before = new Date(parseMillis(parameter, time) - 1).toISOString();
  return (await view.reader.momentAtTime(view.bank, before))?.seq ?? 0;
}
