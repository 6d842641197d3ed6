import type { AuditRow } from '#contract/audit.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { VersionRow } from '#views/rows.js';
import { isAltered } from '../basis/altered.js';
import { askedFilter, askedStandings, askedValidTime } from '../recall/asked.js';
import { openVersion } from '../recall/open-version.js';
import { eligible } from '../recall/search.js';
import { given, toItem } from '../recall/to-item.js';
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

async function* rowsOf(
  asked: Asked,
  at: Parameters<typeof toItem>[3],
  docs: readonly number[],
): AsyncGenerator<Placed> {
  const { view, input, deps } = asked;
  const size = atOnce(asked);
  for (let from = 0; from < docs.length; from += size) {
    const versions = (await versionsOf(view, docs.slice(from, from + size))).filter(
      ({ principal }) => input.principal === undefined || input.principal === principal,
    );
    const rows = await Promise.all(
      versions.map(async (version): Promise<AuditRow> => {
        const content = await openVersion(deps, view.ledger, view.bank, version);
        if (!content) return erasedRow(version);
        return rowOf(version, toItem(version, content, view.index.columns, at));
      }),
    );
    for (const [index, row] of rows.entries()) yield { place: versions[index]!.doc, row };
  }
}

function rowOf(version: VersionRow, item: MemoryItem): AuditRow {
  const { source } = item;
  return {
    memory_id: item.id,
    ...given('key', item.key),
    version: item.version,
    kind: item.kind,
    status: item.status,
    content: item.content,
    tags: item.tags,
    valid_from: item.valid_from,
    ...given('valid_to', item.valid_to),
    system_from: item.system_from,
    ...given('system_to', item.system_to),
    recorded_at: item.recorded_at,
    ...given('occurred_at', item.occurred_at),
    principal: source.principal,
    ...given('agent', source.agent),
    ...given('tool', source.tool),
    origin: source.origin,
    ...given('session_id', source.session_id),
    ...given('task_id', source.task_id),
    event_id: version.eventId,
  };
}

/** What is left of an erased version: that it was there. */
function erasedRow({ memoryId, version, kind, recordedAt, principal, eventId }: VersionRow): AuditRow {
  return {
    memory_id: memoryId,
    version,
    kind,
    status: 'erased',
    recorded_at: recordedAt,
    principal,
    event_id: eventId,
  };
}
