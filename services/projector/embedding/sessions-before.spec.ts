import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';
import { type SessionTurns, sessionsBefore, sessionTurns } from './sessions-before.js';

const said = (memories: readonly string[]) => {
  const turns = sessionTurns();
  return memories.map((memoryId, doc) => turns.say({ doc, memoryId }));
};

describe('what was said before in a session', () => {
  it('is what stood before, as it reads by now, also of what is written again', () => {
    expect(said(['a', 'b', 'c', 'b', 'd', 'a', 'b'])).toEqual([undefined, 0, 1, 0, 2, undefined, 5]);
  });

  const anyDocs = fc.array(
    fc.record({ memory: fc.integer({ min: 0, max: 6 }), session: fc.option(fc.integer({ min: 0, max: 2 })) }),
    { maxLength: 60 },
  );
  /** Rows with the versions that they are of their memories, and a reader of them that counts how often a session is looked up. */
  const stored = (given: readonly { readonly memory: number; readonly session: number | null }[]) => {
    const versions = new Map<number, number>();
    const rows = given.map(({ memory, session }, doc) => {
      const version = (versions.get(memory) ?? 0) + 1;
      versions.set(memory, version);
      return { doc, memoryId: `m${memory}`, version, ...(session === null ? {} : { sessionId: `s${session}` }) };
    }) as VersionRow[];
    const lookedUp: string[] = [];
    const reader: Pick<ViewsReader, 'docsWhere' | 'versionsByDoc'> = {
      async docsWhere(_bank, { sessionId }) {
        lookedUp.push(sessionId!);
        return rows.filter((row) => row.sessionId === sessionId).map(({ doc }) => doc);
      },
      versionsByDoc: async (_bank, docs) => docs.map((doc) => rows[doc]!),
    };
    const asked = async (some: readonly VersionRow[], remembered?: { turns: number; sessions: number }) => {
      const before = sessionsBefore(reader, 'b', remembered);
      const found: (number | undefined)[] = [];
      for (const row of some) found.push(await before.before(row));
      return found;
    };
    return { rows, lookedUp, asked };
  };
  const few = fc.record({ turns: fc.nat(6), sessions: fc.nat(3) });

  test.prop([anyDocs, fc.nat(60), few])(
    'is the same wherever it is begun to be asked for, and however little is remembered',
    async (given, from, remembered) => {
      const { rows, asked } = stored(given);
      const sessions = new Map<string, SessionTurns>();
      const expected = rows.map((row) => {
        if (row.sessionId === undefined) return undefined;
        const turns = sessions.get(row.sessionId) ?? sessionTurns();
        sessions.set(row.sessionId, turns);
        return turns.say(row);
      });
      expect(await asked(rows)).toEqual(expected);
      expect(await asked(rows.slice(from))).toEqual(expected.slice(from));
      expect(await asked(rows, remembered)).toEqual(expected);
    },
  );

  it('looks each session up once, however many go on side by side, as long as nothing is written again', async () => {
    const sessions = 20;
    const { rows, lookedUp, asked } = stored(
      Array.from({ length: 400 }, (_, memory) => ({ memory, session: memory % sessions })),
    );
    const found = await asked(rows, { turns: 100, sessions: 1_000 });
    expect(found.slice(sessions)).toEqual(rows.slice(0, -sessions).map(({ doc }) => doc));
    expect(lookedUp).toHaveLength(sessions);
  });
});
