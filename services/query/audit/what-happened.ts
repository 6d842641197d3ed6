import type { AuditChange, AuditRow } from '#contract/audit.js';
import type { ChangeRow, VersionRow } from '#views/rows.js';
import { happened } from '../history/event-names.js';
import { wordsOf } from '../history/words-of.js';
import { contentOf, openVersion, openWords } from '../recall/open-version.js';
import { given, statusOf } from '../recall/to-item.js';
import type { Asked } from './asked-rows.js';
import type { MemoryRowEvent } from './events-between.js';

/** What an event did to its memory, as differences call it. */
export function changeOf(type: string): AuditChange {
  const name = happened(type);
  return name === 'recorded' ? 'added' : name;
}

export function isVersion(event: MemoryRowEvent): event is VersionRow {
  return event.version !== undefined;
}

/** Who did what, when and why: one event of a memory, opened as far as it can be. */
export async function rowOfEvent(asked: Asked, event: MemoryRowEvent): Promise<AuditRow> {
  return isVersion(event) ? rowOfVersion(asked, event) : rowOfTurn(asked, event);
}

async function rowOfVersion(asked: Asked, row: VersionRow): Promise<AuditRow> {
  const { deps, view } = asked;
  const content = asked.held.mayShow(row.doc) ? await openVersion(deps, view.ledger, view.bank, row) : undefined;
  return {
    memory_id: row.memoryId,
    ...given('key', content?.key),
    version: row.version,
    kind: row.kind,
    change: changeOf(row.type),
    status: statusOf(view.visibility.standing[row.doc]),
    ...given('content', content && contentOf(content)),
    ...given('tags', content?.tags),
    valid_from: row.validFrom,
    ...given('valid_to', row.validTo),
    ...given('occurred_at', row.occurredAt),
    ...by(row),
    origin: row.origin,
    ...given('session_id', row.sessionId),
    ...given('task_id', row.taskId),
  };
}

/** With what the memory said last before it. */
async function rowOfTurn(asked: Asked, event: ChangeRow): Promise<AuditRow> {
  const { view, deps } = asked;
  const changes = await view.reader.changesOf(view.bank, event.memoryId);
  const last = changes.filter(isVersion).findLast(({ seq }) => seq < event.seq);
  const said = last && asked.held.mayShow(last.doc) ? await openVersion(deps, view.ledger, view.bank, last) : undefined;
  return {
    memory_id: event.memoryId,
    ...given('key', said?.key),
    ...given('version', last?.version),
    ...given('kind', last?.kind),
    change: changeOf(event.type),
    ...given('content', said && contentOf(said)),
    ...by(event),
    ...ratingOf(asked, event),
    ...given('why', await reasonOf(asked, event)),
  };
}

/** Which version was rated, and how it fared. */
function ratingOf({ view }: Asked, { type, memoryId, seq }: ChangeRow): Pick<AuditRow, 'version' | 'outcome'> {
  const rating = type === 'MemoryRated' ? view.index.ratings.givenAt(memoryId, seq) : undefined;
  return rating ? { version: rating.version, outcome: rating.outcome } : {};
}

/** Why, in the words of who did it; undefined where nothing was said, or where it was erased. */
export async function reasonOf({ deps, view }: Asked, event: ChangeRow): Promise<string | undefined> {
  if (isVersion(event)) return undefined;
  return wordsOf(await openWords(deps, view.ledger, view.bank, event));
}

export function by(event: ChangeRow): Pick<AuditRow, 'recorded_at' | 'principal' | 'agent' | 'tool' | 'event_id'> {
  return {
    recorded_at: event.recordedAt,
    principal: event.principal,
    ...given('agent', event.agent),
    ...given('tool', event.tool),
    event_id: event.eventId,
  };
}
