import type { AuditChange, AuditRow } from '#contract/audit.js';
import type { ChangeRow, VersionRow } from '#views/rows.js';
import { standing, type Visibility } from '../bank-index/visibility.js';
import { isAltered } from '../basis/altered.js';
import type { View } from '../basis/open-view.js';
import { askedFilter, askedValidTime } from '../recall/asked.js';
import { contentOf, openVersion } from '../recall/open-version.js';
import { given, statusOf, timesOf } from '../recall/to-item.js';
import { versionsOf } from '../recall/versions-of.js';
import { type Asked, atOnce, type Placed } from './asked-rows.js';
import { type Standing, whatChanged } from './what-changed.js';
import { by, changeOf, isVersion, reasonOf } from './what-happened.js';

/** The two bases of a difference, and how every doc stands at each. */
interface Sides {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly was: Visibility;
  readonly is: Visibility;
}

/** Of docs of one memory, the one that says how it stands is the first of these, and of equal ones the newest. */
const deciding = [
  standing.current,
  standing.expired,
  standing.archived,
  standing.quarantined,
  standing.retracted,
  standing.erased,
  standing.ended,
  standing.closed,
  standing.future,
];

/**
 * What is different between two bases, one row per memory, in the order of the first version that is concerned. Both are asked about the
 * same time where one is given, else each about its own moment: then what began, ended or expired in between is a difference, too.
 * @param asked at the later basis
 */
export async function diff(asked: Asked, from: View): Promise<{ rows: AsyncIterable<Placed>; altered: boolean }> {
  const { view, input } = asked;
  const { index } = view;
  const was = index.visibility({ seq: from.seq, ...askedValidTime(input, from.point.at) });
  const is = index.visibility({ seq: view.seq, ...askedValidTime(input, view.point.at) });
  const sides = { fromSeq: from.seq, toSeq: view.seq, was, is };
  const anything: ReadonlySet<number> = new Set(deciding);
  const altered = (await isAltered(view, is, anything)) || (await isAltered({ ...from, index }, was, anything));
  return { rows: rowsOf(asked, sides, await concerned(asked, sides)), altered };
}

/** 1 for each doc that one of the sides sees otherwise than the other, or does not know. */
async function concerned({ view, input, memoryId }: Asked, { fromSeq, toSeq, was, is }: Sides): Promise<Uint8Array> {
  const { bornAt, docs } = view.index.columns;
  const mask = new Uint8Array(docs);
  for (let doc = 0; doc < docs; doc++) {
    if (bornAt[doc]! > toSeq) break;
    const differs =
      (was.standing[doc] ?? 0) !== (is.standing[doc] ?? 0) || (was.span[doc] ?? -1) !== (is.span[doc] ?? -1);
    if (differs || bornAt[doc]! > fromSeq) mask[doc] = 1;
  }
  // What was erased looks the same from both sides.
  for (let after = fromSeq; ; ) {
    const turns = await view.reader.turnsBetween(view.bank, after, toSeq, 1_000);
    for (const turn of turns) {
      if (turn.type !== 'MemoryErased') continue;
      for (const change of await view.reader.changesOf(view.bank, turn.memoryId))
        if (isVersion(change) && change.seq < turn.seq) mask[change.doc] = 1;
    }
    if (turns.length < 1_000) break;
    after = turns.at(-1)!.seq;
  }
  const only = await filtered(view, input, memoryId);
  if (only) for (let doc = 0; doc < docs; doc++) if (!only.has(doc)) mask[doc] = 0;
  return mask;
}

async function filtered(view: View, input: Asked['input'], memoryId?: string): Promise<Set<number> | undefined> {
  const filter = askedFilter(input, view.keys);
  const docs = filter && new Set(await view.reader.docsWhere(view.bank, filter));
  if (memoryId === undefined) return docs;
  const own = (await view.reader.changesOf(view.bank, memoryId)).filter(isVersion).map(({ doc }) => doc);
  return new Set(docs ? own.filter((doc) => docs.has(doc)) : own);
}

async function* rowsOf(asked: Asked, sides: Sides, mask: Uint8Array): AsyncGenerator<Placed> {
  const { view } = asked;
  const size = atOnce(asked);
  const docs: number[] = [];
  for (let doc = asked.after + 1; doc < mask.length; doc++) if (mask[doc]) docs.push(doc);
  for (let from = 0; from < docs.length; from += size) {
    const versions = await versionsOf(view, docs.slice(from, from + size));
    const made = await Promise.all(versions.map((version) => rowOf(asked, sides, mask, version)));
    for (const [at, row] of made.entries()) if (row) yield { place: versions[at]!.doc, row };
  }
}

/** The memory's row, at the first of its docs that are concerned. */
async function rowOf(
  asked: Asked,
  sides: Sides,
  mask: Uint8Array,
  { doc, memoryId }: VersionRow,
): Promise<AuditRow | undefined> {
  const { view, input } = asked;
  const changes = (await view.reader.changesOf(view.bank, memoryId)).filter(({ seq }) => seq <= sides.toSeq);
  const versions = changes.filter(isVersion);
  if (versions.find((each) => mask[each.doc])?.doc !== doc) return undefined;
  const since = changes.filter(({ seq }) => seq > sides.fromSeq);
  const known = versions.filter(({ seq }) => seq <= sides.fromSeq);
  const before = standingOf(known, sides.was);
  const after = standingOf(versions, sides.is);
  const change = whatChanged(
    before,
    after,
    since.map(({ type }) => type),
  );
  if (!change) return undefined;
  const event = eventOf(change, since);
  if (input.principal !== undefined && event?.principal !== input.principal) return undefined;
  const said = {
    before: await saidOf(asked, known, before, sides.was),
    after: await saidOf(asked, versions, after, sides.is),
  };
  return {
    memory_id: memoryId,
    ...given('key', said.after?.key ?? said.before?.key),
    kind: (versions.at(-1) ?? versions[0])!.kind,
    change,
    ...given('before', said.before?.said),
    ...given('after', said.after?.said),
    ...(event ? by(event) : {}),
    ...given('why', event && (await reasonOf(asked, event))),
  };
}

function standingOf(versions: readonly VersionRow[], { standing: of }: Visibility): Standing | undefined {
  for (const code of deciding) {
    const found = versions.findLast(({ doc }) => of[doc] === code);
    if (found) return { doc: found.doc, version: found.version, code };
  }
  return undefined;
}

/** The event that made the difference; none for what only time brought. */
function eventOf(change: AuditChange, since: readonly (ChangeRow | VersionRow)[]): ChangeRow | undefined {
  if (change === 'expired' || change === 'began' || change === 'ended') return undefined;
  return since.findLast(({ type }) => changeOf(type) === change) ?? since.findLast(isVersion) ?? since.at(-1);
}

async function saidOf(asked: Asked, versions: readonly VersionRow[], at: Standing | undefined, visibility: Visibility) {
  const { deps, view } = asked;
  const version = at && versions.find(({ doc }) => doc === at.doc);
  if (!version) return undefined;
  const content = asked.held.mayShow(version.doc)
    ? await openVersion(deps, view.ledger, view.bank, version)
    : undefined;
  const { valid_from, valid_to } = timesOf(version, view.index.columns, visibility);
  return {
    key: content?.key,
    said: {
      version: version.version,
      status: statusOf(at.code),
      ...given('content', content && contentOf(content)),
      valid_from,
      ...given('valid_to', valid_to),
    },
  };
}
