import type { AuditRow } from '#contract/audit.js';
import { isHindsightError } from '#contract/errors.js';
import { parseTime } from '#contract/time.js';
import type { RecallRow, VersionRow } from '#views/rows.js';
import { everHeld } from '../history/ever-held.js';
import { contentOf, isBlank, openRowBox, openVersion } from '../recall/open-version.js';
import { given, iso, statusOf } from '../recall/to-item.js';
import { type Asked, atOnce, type Placed } from './asked-rows.js';
import { isVersion } from './what-happened.js';

/**
 * What was shown, newest first: which question was answered with which versions, to whom, resting on what. Of a moment in the past, what
 * had been shown before it: what whoever acted then could know from here. Of a time in the world, only the versions that were ever said to
 * hold then.
 */
export async function* shown(asked: Asked): AsyncGenerator<Placed> {
  const { view, input, memoryId } = asked;
  const size = atOnce(asked);
  const held = everHeld(view, input);
  const asOf = input.as_of === undefined && input.basis === undefined ? undefined : iso(view.point.at + 1);
  const ends = (['at', 'to'] as const).flatMap((name) => parsedTime(name, input[name]) ?? []);
  const named = ends.sort()[0];
  const before = named !== undefined && asOf !== undefined && asOf < named ? asOf : (named ?? asOf);
  const filter = {
    sessionId: input.session_id,
    principal: input.principal,
    before,
    newestFirst: true,
    limit: size,
  };
  const from = parsedTime('from', input.from);
  const versionsOf = versionsRead(asked);
  for (let after = asked.after < 0 ? undefined : asked.after; ; ) {
    const page = await view.reader.recallsOf(view.bank, { ...filter, after });
    const meant = page.filter(
      ({ items, recordedAt, taskId }) =>
        (memoryId === undefined || items.some((item) => item.memoryId === memoryId)) &&
        (from === undefined || recordedAt >= from) &&
        (input.task_id === undefined || taskId === input.task_id),
    );
    const about = held ? await Promise.all(meant.map((recall) => onlyHeld(recall, held, versionsOf))) : meant;
    const told = about.filter((recall) => !held || recall.items.length > 0);
    const rows = await Promise.all(told.map((recall) => rowOf(asked, recall, versionsOf)));
    for (const [at, row] of rows.entries()) yield { place: told[at]!.recallNo, row };
    const last = page.at(-1);
    if (!last || page.length < size || (from !== undefined && last.recordedAt < from)) return;
    after = last.recallNo;
  }
}

function parsedTime(parameter: string, given: string | undefined): string | undefined {
  return given === undefined ? undefined : parseTime(parameter, given);
}

/** A recall without the versions that say nothing of the time that is asked about. */
async function onlyHeld(recall: RecallRow, held: (doc: number) => boolean, versionsOf: VersionsOf): Promise<RecallRow> {
  const isHeld = await Promise.all(
    recall.items.map(async ({ memoryId, version }) => {
      const row = (await versionsOf(memoryId)).find((each) => each.version === version);
      return row !== undefined && held(row.doc);
    }),
  );
  return { ...recall, items: recall.items.filter((_, at) => isHeld[at]) };
}

type VersionsOf = (memoryId: string) => Promise<readonly VersionRow[]>;

/** Each memory's versions, read once however often it was shown. */
function versionsRead({ view }: Asked): VersionsOf {
  const read = new Map<string, Promise<readonly VersionRow[]>>();
  return (memoryId) => {
    const known = read.get(memoryId) ?? view.reader.changesOf(view.bank, memoryId).then((all) => all.filter(isVersion));
    read.set(memoryId, known);
    return known;
  };
}

async function rowOf(asked: Asked, recall: RecallRow, versionsOf: VersionsOf): Promise<AuditRow> {
  return {
    recall_id: recall.recallId,
    shown_at: recall.recordedAt,
    ...given('query', await questionOf(asked, recall)),
    principal: recall.principal,
    ...given('agent', recall.agent),
    ...given('tool', recall.tool),
    ...given('session_id', recall.sessionId),
    ...given('task_id', recall.taskId),
    event_id: recall.eventId,
    position: recall.position,
    shown: await Promise.all(recall.items.map((item) => itemOf(asked, item, versionsOf(item.memoryId)))),
  };
}

async function itemOf(
  asked: Asked,
  { memoryId, version, score }: RecallRow['items'][number],
  versions: Promise<readonly VersionRow[]>,
): Promise<NonNullable<AuditRow['shown']>[number]> {
  const { deps, view } = asked;
  const row = (await versions).find((each) => each.version === version);
  const content = row && asked.held.mayShow(row.doc) ? await openVersion(deps, view.ledger, view.bank, row) : undefined;
  return {
    memory_id: memoryId,
    version,
    score,
    ...given('key', content?.key),
    ...given('content', content && contentOf(content)),
    ...given('status', row && statusOf(view.visibility.standing[row.doc])),
  };
}

/** The question's words; undefined where they have expired, or went with somebody whom they were about. */
async function questionOf({ deps, view }: Asked, recall: RecallRow): Promise<string | undefined> {
  if (recall.box === undefined) return undefined;
  try {
    const { query } = await openRowBox(deps.vault, view.ledger, view.bank, recall, recall.box);
    return typeof query === 'string' ? query : undefined;
  } catch (error) {
    // A record of a recall has a secret of its own: it may go before, and without, any memory that it served.
    if (isHindsightError(error, 'key_not_found') || (await isBlank(deps, recall, error))) return undefined;
    throw error;
  }
}
