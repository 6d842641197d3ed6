import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import type { ReaderUnderTest } from './reader.contract.js';
import type { ViewsReader } from './reader.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();

/** What every reader of the views tells of how memories stand, and of versions that are many or odd. */
export function standingReaderContract(name: string, open: (home: TestHome) => Promise<ReaderUnderTest>): void {
  describe(`how memories stand, in the views: ${name}`, () => {
    let home: TestHome;
    let views: ReaderUnderTest;
    let reader: ViewsReader;

    beforeAll(async () => {
      home = await testHome();
      await home.events.createBank('team');
      views = await open(home);
      await views.project();
      reader = views.reader;
    });
    afterAll(async () => {
      await views.remove();
      await home.remove();
    });

    it('shows what was laid aside or held back as what it is, and takes up what was archived with the next write', async () => {
      const { events } = home;
      const stands = async () => [
        (await reader.memory('b1', 'shelf'))!.status,
        ...(await reader.spansOf('b1', 'shelf'))
          .filter(({ seqTo }) => seqTo === Infinity)
          .map(({ version, status }) => `${version} ${status}`),
      ];
      await events.write('shelf', { kind: 'experience', validFrom: at(0), validTo: at(5) }, at(6));
      for (const [type, status] of [
        ['MemoryArchived', 'archived'],
        ['MemoryUnarchived', 'current'],
        ['MemoryQuarantined', 'quarantined'],
        ['MemoryReleased', 'current'],
        ['MemoryArchived', 'archived'],
      ] as const) {
        await events.turn(type, 'shelf', at(6));
        await views.project();
        expect(await stands()).toEqual([status, `1 ${status}`]);
        expect(await reader.counts('b1', at(6))).toContainEqual({ kind: 'experience', status, count: 1 });
      }
      await events.write('shelf', { kind: 'experience', validFrom: at(5) }, at(6));
      await views.project();
      expect(await stands()).toEqual(['current', '1 current', '2 current']);
      await events.turn('MemoryQuarantined', 'shelf', at(6));
      await events.write('shelf', { kind: 'experience', validFrom: at(0) }, at(6));
      await views.project();
      expect(await stands()).toEqual(['quarantined', '1 quarantined', '2 quarantined', '3 quarantined']);
      expect(await reader.counts('b1', at(6))).toContainEqual({ kind: 'experience', status: 'quarantined', count: 1 });
      await events.turn('MemoryReleased', 'shelf', at(6));
      await views.project();
      expect(await stands()).toEqual(['current', '3 current']);
    });

    it('tells apart what holds any character', async () => {
      const odd = 'a\u0001b\\"{}\tc 😀';
      await home.events.write('odd', { session: odd, task: 'NULL', content: odd }, at(7));
      await views.project();
      const docs = await reader.docsWhere('b1', { sessionId: odd, taskId: 'NULL' });
      expect(await reader.versionsByDoc('b1', docs)).toMatchObject([{ sessionId: odd, taskId: 'NULL' }]);
      expect(await reader.docsWhere('b1', { sessionId: 'a' })).toEqual([]);
    });

    it('gives many versions in the order asked for, whatever it is', async () => {
      for (let each = 0; each < 40; each++)
        await home.events.write(`many${each}`, { content: `number ${each}` }, at(8));
      await views.project();
      const docs = await reader.docsWhere('b1', { from: at(8), to: at(9) });
      const mixed = docs.map((_, index) => docs[(index * 7 + 13) % docs.length]!);
      for (const asked of [mixed, mixed.slice(0, 20), [...docs].reverse()])
        expect((await reader.versionsByDoc('b1', asked)).map(({ doc }) => doc)).toEqual(asked);
    });
  });
}
