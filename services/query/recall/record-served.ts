import type { Caller } from '#contract/caller.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { SearchInput } from '#contract/search.js';
import { canonicalJson, type Json } from '#events/canonical.js';
import { subjectHash } from '#events/subject-hash.js';
import type { VersionRow } from '#views/rows.js';
import type { View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { given, iso } from './to-item.js';

interface Served {
  readonly input: SearchInput;
  readonly view: View;
  readonly recallId: string;
  readonly tookMs: number;
  readonly validTime: { readonly from: number };
  readonly found: readonly { readonly row: VersionRow; readonly item: MemoryItem }[];
}

/** Puts an answer on record: what was asked, what was shown, resting on what. Waits for it only in the mode `strict`. */
export async function recordServed(deps: QueryDeps, caller: Caller, served: Served): Promise<void> {
  const { input, view, found } = served;
  const { query, basis: _basis, ...filters } = input;
  const subjects = new Set(found.flatMap(({ row }) => row.subjects));
  if (input.subject !== undefined) subjects.add(subjectHash(view.keys.identityKey, input.subject));
  const durable = deps.recallMode === 'strict';
  const recording = deps.recordRecall(
    {
      recallId: served.recallId,
      query: query.toWellFormed(),
      filters: Object.keys(filters).length ? canonicalJson(wellFormed(filters)) : undefined,
      ...given('position', view.point.moment?.position),
      at: iso(view.point.at),
      ...(input.valid_at === undefined ? {} : { validAt: iso(served.validTime.from) }),
      items: found.map(({ item }) => ({ memoryId: item.id, version: item.version, score: item.score ?? 0 })),
      tookMs: served.tookMs,
      subjects: [...subjects].sort(),
      ...given('sessionId', input.session_id),
    },
    caller,
    durable,
  );
  if (durable) await recording;
  else recording.catch(deps.onRecordingFailed);
}

/** Lone surrogates have no canonical form; what a caller sent is kept as near as can be. JSON text has them as escapes, so each string is looked at. */
function wellFormed(filters: unknown): Json {
  return JSON.parse(JSON.stringify(filters), (_name, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as Json;
}
