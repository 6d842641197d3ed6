import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyedHash } from '#events/keyed-hash.js';
import { history } from '#projector/test-support/history.js';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import type { BankKeys } from '#sealing/vault.js';
import { entitiesOf } from '#understanding/entities/entities-of.js';
import { fieldTerm, speakerTerm, type TermField } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import { docFlags } from './doc-flags.js';
import { eachPosting } from './postings.js';
import type { ViewsReader } from './reader.js';
import { servedReaderContract } from './served-reader.contract.js';
import { standingReaderContract } from './standing-reader.contract.js';

export interface ReaderUnderTest {
  readonly reader: ViewsReader;
  /** Projects all that is in the ledger. */
  project(): Promise<void>;
  remove(): Promise<void>;
}

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();

/** What every reader of the views answers, whatever they stand in. */
export function readerContract(name: string, open: (home: TestHome) => Promise<ReaderUnderTest>): void {
  describe(`the reader of the views: ${name}`, () => {
    let home: TestHome;
    let views: ReaderUnderTest;
    let reader: ViewsReader;
    let keys: BankKeys;
    const positions: string[] = [];

    beforeAll(async () => {
      home = await testHome();
      const { events } = home;
      const note = async (append: Promise<{ position: string }>) => positions.push((await append).position);
      await note(events.createBank('team'));
      await note(
        events.write(
          'db',
          { content: 'MySQL 8.0 in production', key: 'project.database', tags: ['infra', 'db'] },
          at(1),
        ),
      );
      await note(events.recallServed(at(59)));
      await note(
        events.write(
          'lunch',
          { kind: 'episodic', content: 'lunch at noon', session: 's1', subjects: ['Ada'], expiresAt: at(30) },
          at(2),
        ),
      );
      await note(
        events.write(
          'db',
          {
            content: { text: 'PostgreSQL in production', major: 17, hosts: ['pg-1'] } as unknown as string,
            tags: ['infra'],
            validFrom: at(0),
            session: 's1',
            task: 't1',
            derivedFrom: ['lunch'],
            importance: 0.9,
          },
          at(3),
        ),
      );
      await note(events.forget('lunch', at(4)));
      await history(home.ledger, home.vault, 'b2', 'f').write('elsewhere', { content: 'MySQL' }, at(5));
      views = await open(home);
      await views.project();
      reader = views.reader;
      keys = await home.vault.bankKeys('b1');
    });
    afterAll(async () => {
      await views.remove();
      await home.remove();
    });

    const tag = (name: string) => keyedHash(keys.indexKey, 'tag', name);
    const hashOf = (term: string, field?: TermField) => termHash(keys.indexKey, field ? fieldTerm(field, term) : term);
    /** Which names a text has is told by other tests. */
    const namesIn = (text: string): string[] => entitiesOf(text).map(({ folded }) => hashOf(folded, 'entity'));
    const docsOf = async (term: string, field?: TermField): Promise<number[]> => {
      const hash = hashOf(term, field);
      const docs: number[] = [];
      for (const { block, bytes } of (await reader.postings('b1', [hash])).get(hash) ?? [])
        eachPosting(block, bytes, (doc) => docs.push(doc));
      return docs;
    };

    it('finds moments by position, time and hash; recalls are none, and do not push system time', async () => {
      expect(await reader.headMoment('b1')).toMatchObject({ seq: 5, position: positions[5], systemTime: at(4) });
      expect(await reader.momentAtPosition('b1', positions[2]!)).toMatchObject({ seq: 2, eventId: 'e2' });
      expect(await reader.momentAtTime('b1', at(3))).toMatchObject({ seq: 4 });
      expect(await reader.momentAtTime('b1', '2020-01-01T00:00:00.000Z')).toBeUndefined();
      const head = await reader.headMoment('b1');
      expect(await reader.momentWithHash('b1', head!.hash)).toEqual(head);
      expect(await reader.headMoment('b3')).toBeUndefined();
    });

    it('knows memories by id and key, and only says of others that they are elsewhere', async () => {
      const database = await reader.memory('b1', 'db');
      expect(database).toMatchObject({ status: 'current', version: 2, kind: 'semantic', revision: 1, seq: 4 });
      expect(await reader.memoryByKey('b1', keyedHash(keys.indexKey, 'slot', 'project.database'))).toEqual(database);
      expect(await reader.memory('b1', 'lunch')).toMatchObject({ status: 'retracted', expiresAt: at(30), seq: 5 });
      expect(await reader.memory('b1', 'elsewhere')).toBeUndefined();
      expect(await reader.isMemoryOfAnotherBank('b1', 'elsewhere')).toBe(true);
      expect(await reader.isMemoryOfAnotherBank('b2', 'elsewhere')).toBe(false);
      // Nobody's, and no text that every database takes.
      expect(await reader.memory('b1', 'a\0b')).toBeUndefined();
      expect(await reader.isMemoryOfAnotherBank('b1', 'a\0b')).toBe(false);
    });

    it('tells a memory’s changes in order, with the box of each event', async () => {
      const changes = await reader.changesOf('b1', 'lunch');
      expect(changes.map(({ type, seq, version }) => [type, seq, version])).toEqual([
        ['MemoryRecorded', 3, 1],
        ['MemoryForgotten', 5, undefined],
      ]);
      for (const { box } of changes) expect(JSON.parse(box!)).toMatchObject({ a: 'A256GCM' });
      expect(changes[0]!.subjects).toEqual([keyedHash(keys.identityKey, 'subject', 'Ada')]);
    });

    it('shows which version held when, as of which moment', async () => {
      const spans = await reader.spansOf('b1', 'db');
      expect(spans).toMatchObject([
        { version: 1, doc: 0, validFrom: Date.parse(at(1)), validTo: Infinity, seqFrom: 2, seqTo: 4, systemTo: at(3) },
        { version: 2, doc: 2, validFrom: Date.parse(at(0)), validTo: Infinity, seqFrom: 4, seqTo: Infinity },
      ]);
      const changed = await reader.spansChangedAfter('b1', 4);
      expect(changed.map(({ memoryId, status, seqTo }) => [memoryId, status, seqTo]).sort()).toEqual([
        ['lunch', 'current', 5],
        ['lunch', 'retracted', Infinity],
      ]);
      expect(await reader.spansChangedAfter('b1', 0)).toHaveLength(4);
    });

    it('gives versions and docs by number', async () => {
      expect(await reader.versionsByDoc('b1', [2, 0, 9])).toMatchObject([
        { doc: 2, memoryId: 'db', version: 2, importance: 0.9, taskId: 't1', derivedFrom: ['lunch'], validFrom: at(0) },
        { doc: 0, memoryId: 'db', version: 1, trust: 0.8 },
      ]);
      expect(await reader.docsFrom('b1', 1)).toMatchObject([
        { doc: 1, memoryId: 'lunch', kind: 'episodic', expiresAt: Date.parse(at(30)) },
        { doc: 2, memoryId: 'db', expiresAt: Infinity },
      ]);
    });

    it('gives moments by number, what brought no version between two of them, and the versions around one', async () => {
      const head = await reader.headMoment('b1');
      expect(await reader.momentsBySeq('b1', [5, 99, 2, 5])).toEqual([
        expect.objectContaining({ seq: 2, eventId: 'e2', position: positions[1] }),
        head,
      ]);
      expect(await reader.turnsBetween('b1', 0, 5, 10)).toEqual(
        (await reader.changesOf('b1', 'lunch')).filter(({ version }) => version === undefined),
      );
      expect(await reader.turnsBetween('b1', 5, 9, 10)).toEqual([]);
      expect(await reader.turnsBetween('b1', 0, 4, 10)).toEqual([]);
      expect(await reader.turnsBetween('b1', 0, 5, 0)).toEqual([]);
      const asked = [
        { memoryId: 'db', doc: 2 },
        { memoryId: 'lunch', doc: 1 },
        { memoryId: 'db', doc: 0 },
      ];
      expect(await reader.docsAround('b1', asked, 8)).toEqual([
        { before: [0], after: [] },
        { before: [], after: [] },
        { before: [], after: [2] },
      ]);
      expect(await reader.docsAround('b1', asked.slice(0, 1), 0)).toEqual([{ before: [], after: [] }]);
    });

    it.each([
      [{}, [0, 1, 2]],
      [{ kinds: ['episodic'] }, [1]],
      [{ kinds: ['episodic', 'semantic'], sessionId: 's1' }, [1, 2]],
      [{ taskId: 't1' }, [2]],
      [{ from: at(2) }, [1, 2]],
      [{ from: at(2), to: at(3) }, [1]],
    ])('finds the docs where %j', async (filter, docs) => {
      expect(await reader.docsWhere('b1', filter)).toEqual(docs);
    });

    it('finds docs by all of their tags, and by subject', async () => {
      expect(await reader.docsWhere('b1', { tagHashes: [tag('infra')] })).toEqual([0, 2]);
      expect(await reader.docsWhere('b1', { tagHashes: [tag('infra'), tag('db')] })).toEqual([0]);
      expect(await reader.docsWhere('b1', { tagHashes: [tag('infra')], sessionId: 's1' })).toEqual([2]);
      expect(await reader.docsWhere('b1', { subjectHash: keyedHash(keys.identityKey, 'subject', 'Ada') })).toEqual([1]);
    });

    it('gives of each doc what it is weighed by, drawn or as it was written', async () => {
      const { latin, mentionsNumber } = docFlags;
      expect(await reader.docsFrom('b1', 0)).toEqual([
        {
          doc: 0,
          memoryId: 'db',
          version: 1,
          length: 8,
          expiresAt: Infinity,
          kind: 'semantic',
          origin: 'agent',
          at: Date.parse(at(1)),
          trust: 0.8,
          flags: latin | mentionsNumber,
          entities: namesIn('MySQL 8.0 in production'),
          keyLength: 3,
        },
        {
          doc: 1,
          memoryId: 'lunch',
          version: 1,
          length: 2,
          expiresAt: Date.parse(at(30)),
          kind: 'episodic',
          origin: 'agent',
          sessionId: 's1',
          at: Date.parse(at(2)),
          trust: 0.8,
          flags: latin,
          entities: [hashOf('ada', 'entity')],
          keyLength: 0,
        },
        {
          doc: 2,
          memoryId: 'db',
          version: 2,
          length: 8,
          expiresAt: Infinity,
          kind: 'semantic',
          origin: 'agent',
          sessionId: 's1',
          at: Date.parse(at(3)),
          importance: 0.9,
          trust: 0.8,
          flags: latin | mentionsNumber,
          entities: namesIn('PostgreSQL in production\n17\npg-1'),
          keyLength: 0,
        },
      ]);
    });

    it('indexes what stands in a field apart from what stands in the text', async () => {
      expect(await docsOf('databas', 'key')).toEqual([0]);
      expect(await docsOf('infra', 'tag')).toEqual([0, 2]);
      expect(await docsOf('postgresql', 'entity')).toEqual([2]);
      expect(await docsOf('produ', 'prefix')).toEqual([0, 2]);
      expect(await docsOf('infra')).toEqual([]);
      expect(await docsOf('produ')).toEqual([]);
    });

    it('indexes the text of a version, all values of an object and the words of its key', async () => {
      expect(await docsOf('mysql')).toEqual([0]);
      expect(await docsOf('17')).toEqual([2]);
      expect(await docsOf('pg-1')).toEqual([2]);
      expect(await docsOf('project.database')).toEqual([0]);
      expect(await reader.postings('b1', [hashOf('absent')])).toEqual(new Map());
      expect((await reader.postings('b1', [hashOf('mysql')], 1)).size).toBe(0);
    });

    it('counts by kind and status, and what has expired', async () => {
      expect(await reader.counts('b1', at(40))).toEqual([
        { kind: 'episodic', status: 'retracted', count: 1 },
        { kind: 'semantic', status: 'current', count: 1 },
      ]);
      await home.events.restore('lunch', at(6));
      await views.project();
      expect(await reader.counts('b1', at(20))).toContainEqual({ kind: 'episodic', status: 'current', count: 1 });
      expect(await reader.counts('b1', at(40))).toContainEqual({ kind: 'episodic', status: 'expired', count: 1 });
    });

    it('shows of what was erased that it was there, and nothing of what it said', async () => {
      const { events } = home;
      await events.write(
        'ada',
        {
          content: 'Ada moved to Lisbon yesterday?',
          subjects: ['Ada'],
          tags: ['erasable'],
          key: 'ada.home',
          expiresAt: at(50),
          session: 's9',
          confidence: 0.75,
          metadata: { speaker: 'Bob Hall' },
        },
        at(10),
      );
      await events.turn('MemoryArchived', 'ada', at(10));
      await events.write('from-ada', { derivedFrom: ['ada'] }, at(10));
      await events.write('from-that', { derivedFrom: ['x', 'from-ada'] }, at(10));
      await events.write('from-that', {}, at(10));
      await events.recallServed(at(10), { recallId: 'of-ada', items: [{ memoryId: 'ada', version: 1, score: 1 }] });
      await events.order('e1', 1, 2, ['ada']);
      await views.project();
      const held = (await reader.docsFrom('b1', 0)).find(({ memoryId }) => memoryId === 'ada')!;
      expect(held).toMatchObject({
        speaker: hashOf(speakerTerm('bob')),
        flags: docFlags.question | docFlags.mentionsTime | docFlags.latin | docFlags.mentionsChange,
        entities: [hashOf('ada', 'entity'), hashOf('lisbon', 'entity')],
        keyLength: 3,
      });
      expect(await docsOf('lisbon', 'entity')).toEqual([held.doc]);
      expect(await reader.derivedFrom('b1', ['ada'])).toEqual([
        { memoryId: 'from-ada', version: 1 },
        { memoryId: 'from-that', version: 2 },
      ]);
      expect(await reader.unfinishedErasures()).toEqual([]);
      await events.order('e1', 2, 2);
      await views.project();
      expect(await reader.unfinishedErasures()).toEqual([{ bank: 'b1', erasureId: 'e1' }]);
      await events.erase('ada', at(10));
      await views.project();
      expect(await reader.memory('b1', 'ada')).toMatchObject({ status: 'erased', version: 1 });
      expect(await reader.memory('b1', 'ada')).not.toHaveProperty('keyHash');
      const changes = await reader.changesOf('b1', 'ada');
      expect(changes.map(({ type, box, subjects }) => [type, box ?? '', subjects])).toEqual([
        ['MemoryRecorded', '', []],
        ['MemoryArchived', '', []],
        ['MemoryErased', '', []],
      ]);
      expect((await reader.spansOf('b1', 'ada')).map(({ status }) => status)).toEqual(['erased', 'erased', 'erased']);
      expect(await reader.docsWhere('b1', { tagHashes: [tag('erasable')] })).toEqual([]);
      const gone = [hashOf('move'), hashOf('ada.home'), hashOf('erasabl', 'tag'), hashOf('home', 'key')];
      const names = [hashOf('lisbon', 'entity'), hashOf('lisbo', 'prefix')];
      expect(await reader.postings('b1', [...gone, ...names])).toEqual(new Map());
      expect((await reader.docsFrom('b1', held.doc))[0]).toEqual({
        doc: held.doc,
        memoryId: 'ada',
        version: 1,
        length: 0,
        expiresAt: Infinity,
        kind: 'semantic',
        origin: 'agent',
        sessionId: 's9',
        at: Date.parse(at(10)),
        confidence: 0.75,
        trust: 0.8,
        flags: 0,
        entities: [],
        keyLength: 0,
      });
      expect(await reader.recallsOf('b1', { recallId: 'of-ada', limit: 1 })).toMatchObject([
        { items: [{ memoryId: 'ada' }], secretId: expect.any(String) },
      ]);
      expect((await reader.recallsServing('b1', ['ada']))[0]).not.toHaveProperty('box');
      expect(await reader.counts('b1', at(10))).toContainEqual({ kind: 'semantic', status: 'erased', count: 1 });
      const print = createHash('md5').update('ada').digest('hex');
      expect(await reader.erasedValues('b1', [print, 'ff'.repeat(16)])).toEqual([print]);
      await events.complete('e1');
      await views.project();
      expect(await reader.unfinishedErasures()).toEqual([]);
      expect((await reader.bankEvents('b1')).map(({ type }) => type)).toEqual([
        'BankCreated',
        'ErasureOrdered',
        'ErasureOrdered',
        'ErasureCompleted',
      ]);
      const [created, ordered] = await reader.bankEvents('b1');
      expect((await reader.bankEvents('b1', created!.seq))[0]).toEqual(ordered);
    });

    it('knows nothing of a bank that was never seen', async () => {
      expect(await reader.memory('b9', 'db')).toBeUndefined();
      expect(await reader.momentAtTime('b9', at(9))).toBeUndefined();
      expect(await reader.changesOf('b9', 'db')).toEqual([]);
      expect(await reader.spansOf('b9', 'db')).toEqual([]);
      expect(await reader.versionsByDoc('b9', [0])).toEqual([]);
      expect(await reader.docsWhere('b9', {})).toEqual([]);
      expect(await reader.docsFrom('b9', 0)).toEqual([]);
      expect(await reader.spansChangedAfter('b9', 0)).toEqual([]);
      expect(await reader.postings('b9', ['00'.repeat(8)])).toEqual(new Map());
      expect(await reader.counts('b9', at(9))).toEqual([]);
      expect(await reader.turnsBetween('b9', 0, 9, 9)).toEqual([]);
      expect(await reader.momentsBySeq('b9', [1])).toEqual([]);
    });

    it('shows no bank what another holds', async () => {
      expect(await reader.docsFrom('b2', 0)).toMatchObject([{ memoryId: 'elsewhere', doc: 0 }]);
      expect(await reader.versionsByDoc('b2', [0, 1, 2])).toHaveLength(1);
      expect(await reader.spansChangedAfter('b2', 0)).toHaveLength(1);
      expect(await reader.changesOf('b2', 'db')).toEqual([]);
      expect(await reader.docsWhere('b2', { tagHashes: [tag('infra')] })).toEqual([]);
      expect(await reader.memoryByKey('b2', keyedHash(keys.indexKey, 'slot', 'project.database'))).toBeUndefined();
    });

    it('lists the banks with their sealed names', async () => {
      expect(await reader.banks()).toMatchObject([{ bank: 'b1', type: 'BankCreated', seq: 1, eventId: 'e1' }]);
    });
  });
  standingReaderContract(name, open);
  servedReaderContract(name, open);
}
