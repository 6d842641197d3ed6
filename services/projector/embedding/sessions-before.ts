import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';

type Turn = Pick<VersionRow, 'doc' | 'memoryId'>;

/** The last doc of a session, and the last one of another memory than that. */
interface SessionEnd {
  readonly last: Turn;
  readonly other: Turn | undefined;
}

/** Sessions whose end is remembered, some 200 bytes each. */
const remembered = 10_000;
/** Docs looked at in one read, from the end of a session backward. */
const together = 16;

/** Of docs of one bank that come in order: which doc was said before each in its session. */
export interface SessionsBefore {
  /** The greatest lower doc of the same session and another memory; undefined for one of no session, and for the first. */
  before(row: VersionRow): Promise<number | undefined>;
}

/** @param from the doc that comes first: what lies before it is looked up */
export function sessionsBefore(reader: ViewsReader, bank: string, from: number): SessionsBefore {
  const ends = new Map<string, SessionEnd | undefined>();

  async function lookUp(session: string): Promise<SessionEnd | undefined> {
    const docs = (await reader.docsWhere(bank, { sessionId: session })).filter((doc) => doc < from);
    let last: Turn | undefined;
    while (docs.length > 0) {
      const some = docs.splice(-together).reverse();
      for (const turn of await reader.versionsByDoc(bank, some)) {
        last ??= turn;
        if (turn.memoryId !== last.memoryId) return { last, other: turn };
      }
    }
    return last && { last, other: undefined };
  }

  return {
    async before({ sessionId, doc, memoryId }) {
      if (sessionId === undefined) return undefined;
      const end = ends.has(sessionId) ? ends.get(sessionId) : await lookUp(sessionId);
      const isSame = end?.last.memoryId === memoryId;
      ends.delete(sessionId);
      ends.set(sessionId, { last: { doc, memoryId }, other: isSame ? end.other : end?.last });
      if (ends.size > remembered) ends.delete(ends.keys().next().value!);
      return (isSame ? end.other : end?.last)?.doc;
    },
  };
}
