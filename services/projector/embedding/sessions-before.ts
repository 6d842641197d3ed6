import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';

type Turn = Pick<VersionRow, 'doc' | 'memoryId'>;
type Said = Turn & Pick<VersionRow, 'version' | 'sessionId'>;

/** What was said in a session, in order. */
export interface SessionTurns {
  readonly size: number;
  /** As it reads by now. */
  readonly last: Turn | undefined;
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
    get last() {
      return last === undefined ? undefined : { memoryId: last, doc: turns.get(last)!.doc };
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

/** Turns that are remembered, some 150 bytes each, and sessions of which only the last turn is. */
const rememberedTurns = 200_000;
const rememberedSessions = 100_000;
/** Docs looked at in one read. */
const together = 500;

/** Of docs of one bank that come in order: which doc was said before each in its session. */
export interface SessionsBefore {
  /** A lower doc of the same session and another memory; undefined for one of no session, and for the first. */
  before(row: Said): Promise<number | undefined>;
}

/**
 * What lies before the first doc of a session that it is asked about is looked up. What is said for the first time needs the last turn alone, so
 * of more turns than are remembered only what is written again is looked up anew: however many sessions go on side by side.
 */
export function sessionsBefore(
  reader: Pick<ViewsReader, 'docsWhere' | 'versionsByDoc'>,
  bank: string,
  remembered = { turns: rememberedTurns, sessions: rememberedSessions },
): SessionsBefore {
  const lasts = new Map<string, Turn>();
  const whole = new Map<string, SessionTurns>();
  let held = 0;

  async function lookUp(sessionId: string, before: number): Promise<SessionTurns> {
    const turns = sessionTurns();
    const docs = (await reader.docsWhere(bank, { sessionId })).filter((doc) => doc < before);
    for (let at = 0; at < docs.length; at += together)
      for (const turn of await reader.versionsByDoc(bank, docs.slice(at, at + together))) turns.say(turn);
    return turns;
  }

  function sayIn(turns: SessionTurns, sessionId: string, row: Said): number | undefined {
    held -= whole.has(sessionId) ? turns.size : 0;
    const before = turns.say(row);
    held += turns.size;
    whole.delete(sessionId);
    whole.set(sessionId, turns);
    while (held > remembered.turns && whole.size > 1) {
      const [oldest, gone] = whole.entries().next().value!;
      held -= gone.size;
      whole.delete(oldest);
    }
    return before;
  }

  function remember(sessionId: string, last: Turn): void {
    lasts.delete(sessionId);
    lasts.set(sessionId, last);
    if (lasts.size > remembered.sessions) lasts.delete(lasts.keys().next().value!);
  }

  return {
    async before(row) {
      const { sessionId, doc, memoryId, version } = row;
      if (sessionId === undefined) return undefined;
      const last = lasts.get(sessionId);
      const known = whole.get(sessionId);
      if (!known && last && version === 1) {
        remember(sessionId, { memoryId, doc });
        return last.doc;
      }
      const turns = known ?? (await lookUp(sessionId, doc));
      const before = sayIn(turns, sessionId, row);
      remember(sessionId, turns.last!);
      return before;
    },
  };
}
