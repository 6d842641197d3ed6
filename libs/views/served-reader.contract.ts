import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyedHash } from '#events/keyed-hash.js';
import { history } from '#projector/test-support/history.js';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import type { BankKeys } from '#sealing/vault.js';
import { fieldTerm } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { ReaderUnderTest } from './reader.contract.js';
import type { RecallFilter, ViewsReader } from './reader.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();

/** What every reader of the views tells of what was served, and of how it fared. */
export function servedReaderContract(name: string, open: (home: TestHome) => Promise<ReaderUnderTest>): void {
  describe(`what was served, in the views: ${name}`, () => {
    let home: TestHome;
    let views: ReaderUnderTest;
    let reader: ViewsReader;
    let keys: BankKeys;

    beforeAll(async () => {
      home = await testHome();
      const { events } = home;
      await events.createBank('team');
      await events.write('db', { content: 'MySQL 8.0 in production' }, at(1));
      await events.recallServed(at(59));
      await events.write('lunch', { kind: 'episodic', content: 'lunch at noon', subjects: ['Ada'] }, at(2));
      await events.write('db', { content: 'PostgreSQL in production' }, at(3));
      views = await open(home);
      await views.project();
      reader = views.reader;
      keys = await home.vault.bankKeys('b1');
    });
    afterAll(async () => {
      await views.remove();
      await home.remove();
    });

    describe('of recalls', () => {
      const item = (memoryId: string, version = 1) => ({ memoryId, version, score: 0.5 });

      beforeAll(async () => {
        const { events } = home;
        await events.recallServed(at(7), {
          recallId: 'one',
          at: at(7),
          items: [item('db', 2), item('db'), item('lunch')],
          session: 's1',
          position: 'p7',
          validAt: at(3),
        });
        await events.recallServed(at(8), { recallId: 'two', at: at(8), items: [item('lunch')], subjects: ['Ada'] });
        await events.recallServed(at(9), { recallId: 'three', at: at(9), session: 's1' });
        await views.project();
      });

      const idsOf = async (asked: Partial<RecallFilter>) =>
        (await reader.recallsOf('b1', { limit: 10, ...asked })).map(({ recallId }) => recallId);

      it('tells what was served, in order, with the sealed question', async () => {
        const [first] = await reader.recallsOf('b1', { recallId: 'one', limit: 1 });
        expect(first).toMatchObject({
          sessionId: 's1',
          principal: 'os:tester',
          askedAt: at(7),
          validAt: at(3),
          basisPosition: 'p7',
          type: 'RecallServed',
          items: [item('db', 2), item('db'), item('lunch')],
          tookMs: 1,
          subjects: [],
        });
        expect(JSON.parse(first!.box!)).toMatchObject({ a: 'A256GCM', k: first!.secretId });
      });

      it('finds them by session, principal, time and memory, in pages of either direction', async () => {
        expect(await idsOf({ sessionId: 's1' })).toEqual(['one', 'three']);
        expect((await idsOf({ principal: 'os:tester' })).slice(-3)).toEqual(['one', 'two', 'three']);
        expect(await idsOf({ principal: 'os:nobody' })).toEqual([]);
        expect((await idsOf({ before: at(9) })).slice(-2)).toEqual(['one', 'two']);
        const [last] = await reader.recallsOf('b1', { newestFirst: true, limit: 1 });
        expect(last!.recallId).toBe('three');
        expect((await idsOf({ newestFirst: true, after: last!.recallNo })).slice(0, 2)).toEqual(['two', 'one']);
        const serving = async (...ids: string[]) =>
          (await reader.recallsServing('b1', ids)).map(({ recallId }) => recallId);
        expect(await serving('db')).toEqual(['one']);
        expect(await serving('db', 'lunch')).toEqual(['one', 'two']);
        expect(await serving('other')).toEqual([]);
        const ada = keyedHash(keys.identityKey, 'subject', 'Ada');
        expect((await reader.recallsAbout('b1', ada)).map(({ recallId }) => recallId)).toEqual(['two']);
        expect(await reader.recallsOf('b2', { limit: 9 })).toEqual([]);
        expect(await reader.recallsServing('b9', ['db'])).toEqual([]);
      });
    });

    it('tells how memories fared, leaves them as they stand, and tells nothing of it once they are erased', async () => {
      const events = history(home.ledger, home.vault, 'b7', 'r');
      await events.write('one', { content: 'one' });
      await events.write('other', { content: 'other', key: 'k' });
      await events.rate('one', 'useful', { recallId: 'r1' }, at(10));
      await events.turn('MemoryArchived', 'other');
      await events.rate('other', 'wrong', { principal: 'http:王芳' }, at(11));
      await events.write('one', { content: 'one, and more' });
      await views.project();
      const one = {
        seq: 3,
        memoryId: 'one',
        version: 1,
        principal: 'os:tester',
        outcome: 'useful',
        recallId: 'r1',
        at: at(10),
      };
      const other = { seq: 5, memoryId: 'other', version: 1, principal: 'http:王芳', outcome: 'wrong', at: at(11) };
      expect(await reader.ratingsAfter('b7', 0)).toEqual([one, other]);
      expect(await reader.ratingsAfter('b7', 3)).toEqual([other]);
      expect(await reader.ratingsAfter('b7', 5)).toEqual([]);
      expect(await reader.ratingsAfter('b1', 0)).toEqual([]);
      expect(await reader.memory('b7', 'other')).toMatchObject({ status: 'archived', version: 1, revision: 2, seq: 5 });
      expect(await reader.memory('b7', 'one')).toMatchObject({ status: 'current', version: 2, revision: 2, seq: 6 });
      expect((await reader.changesOf('b7', 'other')).map(({ seq, type }) => [seq, type])).toEqual([
        [2, 'MemoryRecorded'],
        [4, 'MemoryArchived'],
        [5, 'MemoryRated'],
      ]);
      expect((await reader.turnsBetween('b7', 0, 9, 9)).map(({ type }) => type)).toEqual([
        'MemoryRated',
        'MemoryArchived',
        'MemoryRated',
      ]);
      expect((await reader.spansOf('b7', 'other')).map(({ status, seqTo }) => [status, seqTo])).toEqual([
        ['current', 4],
        ['archived', Infinity],
      ]);
      await events.erase('one', at(12));
      await views.project();
      expect(await reader.ratingsAfter('b7', 0)).toEqual([other]);
      expect((await reader.changesOf('b7', 'one')).find(({ type }) => type === 'MemoryRated')?.box).toBeUndefined();
      await events.write('one', { content: 'anew' }, at(13));
      await events.rate('one', 'success', {}, at(14));
      await views.project();
      const anew = { seq: 9, memoryId: 'one', version: 3, principal: 'os:tester', outcome: 'success', at: at(14) };
      expect(await reader.ratingsAfter('b7', 0)).toEqual([other, anew]);
    });

    it('tells what a model found, and nothing of it once the memory is erased, whichever comes first', async () => {
      const events = history(home.ledger, home.vault, 'b8', 'f');
      const { indexKey } = await home.vault.bankKeys('b8');
      const hashes = (...names: string[]) => names.map((name) => termHash(indexKey, fieldTerm('entity', name)));
      const day = { from: '2026-02-03T00:00:00.000Z', to: '2026-02-04T00:00:00.000Z', grain: 'day', exact: true };
      await events.write('one', { content: 'Ada met 王伟 in Zürich on Tuesday' });
      await events.write('other', { content: 'nothing' });
      await events.enrich(
        'one',
        { names: ['Ada', 'Zürich', 'ADA', '王伟'], dates: [{ ...day, words: [26, 33] }] },
        at(20),
      );
      await events.enrich('other', { model: 'aaaaaaaaaaaaaaaa', rules: 2, tokens: { read: 5, written: 2 } }, at(21));
      await views.project();
      const one = {
        seq: 3,
        memoryId: 'one',
        version: 1,
        rules: 1,
        model: '0f1e2d3c4b5a6978',
        tokensRead: 10,
        tokensWritten: 1,
        at: at(20),
        names: hashes('ada', 'zurich', '王伟'),
        times: [Date.parse('2026-02-03T12:00:00.000Z')],
      };
      const other = {
        ...one,
        seq: 4,
        memoryId: 'other',
        rules: 2,
        model: 'aaaaaaaaaaaaaaaa',
        tokensRead: 5,
        tokensWritten: 2,
        at: at(21),
        names: [],
        times: [],
      };
      expect(await reader.findingsAfter('b8', 0)).toEqual([one, other]);
      expect(await reader.findingsAfter('b8', 3)).toEqual([other]);
      expect(await reader.findingsAfter('b1', 0)).toEqual([]);
      expect(await reader.headMoment('b8')).toMatchObject({ seq: 4 });

      await events.erase('one', at(22));
      // Read before the erasure, and stored after it.
      await events.enrich('one', { names: ['Ada'], dates: [{ ...day, words: [0, 3] }], knew: 0 }, at(23));
      await views.project();
      const blank = { ...one, names: [], times: [] };
      const late = { ...blank, seq: 6, at: at(23) };
      expect(await reader.findingsAfter('b8', 0)).toEqual([blank, other, late]);

      await events.write('one', { content: 'Ada again' }, at(24));
      await events.enrich('one', { names: ['Ada'] }, at(25));
      await views.project();
      const anew = { ...one, seq: 8, version: 2, at: at(25), names: hashes('ada'), times: [] };
      expect(await reader.findingsAfter('b8', 6)).toEqual([anew]);
    });
  });
}
