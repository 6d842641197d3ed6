import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';

type Turn = Pick<VersionRow, 'doc' | 'memoryId'>;

/** What was said in a session, in order. */
export interface SessionTurns {
  readonly size: number;
  /** Adds a version. @returns what was said before it, as it reads by now; undefined for the first */
  say(turn: Turn): number | undefined;
}

/**
 * A version that is written again in its session stands where the first one stood (as services/query/bank-index/doc-columns.ts has it): so it
 * is embedded with what was said before it, and not with whatever was said last.
 */
export function sessionTurns(): SessionTurns {
  const turns = new Map<string, { doc: number; readonly before: string | undefined }>();
  let last: string | undefined;
  return {
    get size() {
      return turns.size;
    },
    say({ doc, memoryId }) {
      const known = turns.get(memoryId);
      if (known) known.doc = doc;
      else {
        turns.set(memoryId, { doc, before: last });
        last = memoryId;
      }
      const { before } = turns.get(memoryId)!;
      return before === undefined ? undefined : turns.get(before)!.doc;
    },
  };
}

/** Turns that are remembered, some 150 bytes each. */
const remembered = 200_000;
/** Docs looked at in one read. */
const together = 500;

/** Of docs of one bank that come in order: which doc was said before each in its session. */
export interface SessionsBefore {
  /** A lower doc of the same session and another memory; undefined for one of no session, and for the first. */
  before(row: VersionRow): Promise<number | undefined>;
}

/** What lies before the first doc of a session that it is asked about is looked up. */
export function sessionsBefore(reader: ViewsReader, bank: string): SessionsBefore {
  const sessions = new Map<string, SessionTurns>();
  let held = 0;

  async function lookUp(sessionId: string, before: number): Promise<SessionTurns> {
    const turns = sessionTurns();
    const docs = (await reader.docsWhere(bank, { sessionId })).filter((doc) => doc < before);
    for (let at = 0; at < docs.length; at += together)
      for (const turn of await reader.versionsByDoc(bank, docs.slice(at, at + together))) turns.say(turn);
    return turns;
  }

  return {
    async before(row) {
      const { sessionId, doc } = row;
      if (sessionId === undefined) return undefined;
      const known = sessions.get(sessionId);
      const turns = known ?? (await lookUp(sessionId, doc));
      held -= known?.size ?? 0;
      const before = turns.say(row);
      held += turns.size;
      sessions.delete(sessionId);
      sessions.set(sessionId, turns);
      while (held > remembered && sessions.size > 1) {
        const [oldest, gone] = sessions.entries().next().value!;
        held -= gone.size;
        sessions.delete(oldest);
      }
      return before;
    },
  };
}
