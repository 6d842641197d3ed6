import type { AuditRow } from '#contract/audit.js';
import type { VersionContent } from '#events/version-fields.js';
import type { VersionRow } from '#views/rows.js';
import type { Visibility } from '../bank-index/visibility.js';
import { isAltered } from '../basis/altered.js';
import { askedFilter, askedStandings, askedValidTime } from '../recall/asked.js';
import { contentOf, openVersions } from '../recall/open-version.js';
import { eligible } from '../recall/search.js';
import { statusAt, timesOf } from '../recall/to-item.js';
import { versionsOf } from '../recall/versions-of.js';
import { type Asked, atOnce, type Placed } from './asked-rows.js';

/** All that stands as asked at a basis, in the order in which it was written. */
export async function state(asked: Asked): Promise<{ rows: AsyncIterable<Placed>; altered: boolean }> {
  const { view, input, caller } = asked;
  const standings = askedStandings(input.include, caller);
  const at = view.index.visibility({ seq: view.seq, ...askedValidTime(input, view.point.at) });
  const filter = askedFilter(input, view.keys);
  const mask = eligible(at, standings, filter && (await view.reader.docsWhere(view.bank, filter)));
  const docs = await docsOf(asked, mask);
  return { rows: rowsOf(asked, at, docs), altered: await isAltered(view, at, standings) };
}

async function docsOf({ view, memoryId, after }: Asked, mask: Uint8Array): Promise<number[]> {
  if (memoryId !== undefined) {
    const spans = await view.reader.spansOf(view.bank, memoryId);
    const docs = new Set(spans.map(({ doc }) => doc));
    return [...docs].filter((doc) => doc > after && mask[doc]).sort((one, other) => one - other);
  }
  const docs: number[] = [];
  for (let doc = after + 1; doc < mask.length; doc++) if (mask[doc]) docs.push(doc);
  return docs;
}

async function* rowsOf(asked: Asked, at: Visibility, docs: readonly number[]): AsyncGenerator<Placed> {
  const { view, input, deps, held } = asked;
  const size = atOnce(asked);
  for (let from = 0; from < docs.length; from += size) {
    const versions = (await versionsOf(view, docs.slice(from, from + size))).filter(
      ({ principal }) => input.principal === undefined || input.principal === principal,
    );
    const contents = await openVersions(deps, view.ledger, view.bank, versions);
    const rows = versions.map((version, place) => {
      const content = contents[place];
      if (!content) return bareRow(version, 'erased');
      if (!held.mayShow(version.doc)) return bareRow(version, statusAt(version.doc, view.index.columns, at));
      const { columns } = view.index;
      const status = statusAt(version.doc, columns, at);
      return rowOf(version, content, timesOf(version, columns, at), status);
    });
    for (const [index, row] of rows.entries()) yield { place: versions[index]!.doc, row };
  }
}

type Times = ReturnType<typeof timesOf>;

/** Member by member: a state has as many rows as the bank has memories. */
function rowOf(version: VersionRow, content: VersionContent, times: Times, status: AuditRow['status']): AuditRow {
  const row: AuditRow = {
    memory_id: version.memoryId,
    version: version.version,
    kind: version.kind,
    status,
    content: contentOf(content),
    tags: content.tags ?? [],
    valid_from: times.valid_from,
    system_from: times.system_from,
    recorded_at: version.recordedAt,
    principal: version.principal,
    origin: version.origin,
    event_id: version.eventId,
  };
  if (content.key !== undefined) row.key = content.key;
  if (times.valid_to !== undefined) row.valid_to = times.valid_to;
  if (times.system_to !== undefined) row.system_to = times.system_to;
  if (version.occurredAt !== undefined) row.occurred_at = version.occurredAt;
  if (version.agent !== undefined) row.agent = version.agent;
  if (version.tool !== undefined) row.tool = version.tool;
  if (version.sessionId !== undefined) row.session_id = version.sessionId;
  if (version.taskId !== undefined) row.task_id = version.taskId;
  return row;
}

/** Of a version that was erased, or may not be shown: that it was there. */
function bareRow(
  { memoryId, version, kind, recordedAt, principal, eventId }: VersionRow,
  status: AuditRow['status'],
): AuditRow {
  return {
    memory_id: memoryId,
    version,
    kind,
    status,
    recorded_at: recordedAt,
    principal,
    event_id: eventId,
  };
}
