import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '#views/table.js';
import type { GroupRequest } from '#views/views.js';
import { createProjector } from './create-projector.js';
import { digests, type TestHome, testHome } from './test-support/test-home.js';

const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1, 9, number)).toISOString();

type Step = { do: 'write'; from?: number; to?: number } | { do: 'forget' } | { do: 'restore' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      from: fc.option(fc.nat(20), { nil: undefined }),
      to: fc.option(fc.nat(20), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
);

async function happen(home: TestHome, steps: readonly Step[]): Promise<void> {
  await home.events.write('m', {}, minute(0));
  for (const [index, step] of steps.entries()) {
    const at = minute(index + 1);
    if (step.do === 'forget') await home.events.forget('m', at);
    else if (step.do === 'restore') await home.events.restore('m', at);
    else
      await home.events.write(
        'm',
        {
          ...(step.from === undefined ? {} : { validFrom: minute(step.from) }),
          ...(step.to === undefined ? {} : { validTo: minute(step.to) }),
        },
        at,
      );
  }
}

describe('a memory of many versions', () => {
  // In one batch everything is in hand; in small ones only the spans that were asked for.
  test.prop([fc.array(anyStep, { minLength: 4, maxLength: 14 }), fc.constantFrom(1, 2, 3)], { numRuns: 25 })(
    'has the same rows whether all of it is at hand or only the part that an event looks at',
    async (steps, batch) => {
      const home = await testHome();
      try {
        await happen(home, steps);
        const whole = await home.station({ file: 'whole.db', batch: 1_000 });
        await whole.projector.catchUp({ everything: true });
        const parts = await home.station({ file: 'parts.db', batch });
        await parts.projector.catchUp({ everything: true });
        expect(await digests(parts)).toEqual(await digests(whole));
      } finally {
        await home.remove();
      }
    },
  );

  describe('each followed by the next', () => {
    let home: TestHome;
    beforeEach(async () => {
      home = await testHome();
    });
    afterEach(() => home.remove());

    it('costs the next write no more than the spans that it cuts', async () => {
      for (let version = 0; version < 300; version++) await home.events.write('m', {}, minute(version));
      const { views, projector } = await home.station();
      await projector.catchUp({ everything: true });
      const open = (await views.reader().spansOf('b1', 'm')).filter(({ seqTo }) => seqTo === Infinity);
      expect(open).toHaveLength(300);

      let loaded: Row[][] = [];
      const counting = createProjector({
        ledger: home.ledger,
        vault: home.vault,
        log: { info: () => undefined, warn: () => undefined },
        views: {
          ...views,
          load: async (id, requests: readonly GroupRequest[]) => {
            const rows = await views.load(id, requests);
            if (id.projection === 'versions') loaded = rows;
            return rows;
          },
        },
      });
      await home.events.write('m', {}, minute(300));
      await counting.catchUp();
      expect(loaded.flat()).toMatchObject([{ version: 300 }]);

      await home.events.write('m', { validFrom: minute(100), validTo: minute(102) }, minute(301));
      await counting.catchUp();
      expect(loaded.flat().map(({ version }) => version)).toEqual([101, 102]);
      await counting.close();
    });
  });
});
