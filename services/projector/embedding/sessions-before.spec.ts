import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';
import { sessionsBefore, sessionTurns } from './sessions-before.js';

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
  test.prop([anyDocs, fc.nat(60)])('is the same wherever it is begun to be asked for', async (given, from) => {
    const rows = given.map(
      ({ memory, session }, doc) =>
        ({ doc, memoryId: `m${memory}`, ...(session === null ? {} : { sessionId: `s${session}` }) }) as VersionRow,
    );
    const reader = {
      docsWhere: async (_bank: string, { sessionId }: { sessionId?: string }) =>
        rows.filter((row) => row.sessionId === sessionId).map(({ doc }) => doc),
      versionsByDoc: async (_bank: string, docs: readonly number[]) => docs.map((doc) => rows[doc]!),
    } as unknown as ViewsReader;
    const asked = async (some: readonly VersionRow[]) => {
      const before = sessionsBefore(reader, 'b');
      const found: (number | undefined)[] = [];
      for (const row of some) found.push(await before.before(row));
      return found;
    };
    expect(await asked(rows.slice(from))).toEqual((await asked(rows)).slice(from));
  });
});
