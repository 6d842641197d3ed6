import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { type Embedded, openEmbedded } from '#cli/embedded/open-embedded.js';
import { plainLog } from '#cli/embedded/plain-log.js';
import { systemSources } from '#cli/embedded/system-sources.js';
import { loadConfig } from '#config/load-config.js';
import type { SearchInput } from '#contract/search.js';
import type { WriteItem } from '#contract/write.js';

const day = 86_400_000;
const start = Date.parse('2026-03-01T00:00:00.000Z');
const words = ['database', 'staging', 'deploy', 'tea', '数据库', '迁移', '部署计划', 'v2.3.1', 'the'];
const keys = ['k1', 'k2', 'k3', 'k4'] as const;

type Step =
  | { readonly do: 'write'; readonly item: WriteItem }
  | { readonly do: 'forget' | 'restore'; readonly key: string }
  | { readonly do: 'replay' | 'reopen' | 'lose views' };

const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((each) => each.join(' '));
const moment = fc.integer({ min: -20, max: 40 }).map((days) => new Date(start + days * day).toISOString());
const item: fc.Arbitrary<WriteItem> = fc
  .record(
    {
      key: fc.constantFrom(...keys),
      content,
      tags: fc.subarray(['red', 'blue']),
      subjects: fc.subarray(['Ann', '李雷']),
      valid_from: moment,
      ttl: fc.integer({ min: 1, max: 10 }).map((days) => `${days}d`),
    },
    { requiredKeys: ['content'] },
  )
  .map((each) => each);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: item.map((each) => ({ do: 'write' as const, item: each })) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), key: fc.constantFrom(...keys) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), key: fc.constantFrom(...keys) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('replay' as const, 'reopen' as const, 'lose views' as const) }),
  },
);
const question: fc.Arbitrary<SearchInput> = fc.record(
  {
    query: content,
    top_k: fc.integer({ min: 1, max: 10 }),
    tags: fc.constant(['red']),
    subject: fc.constant('李雷'),
    valid_at: moment,
    include: fc.constant(['superseded', 'retracted', 'expired'] as ('superseded' | 'retracted' | 'expired')[]),
  },
  { requiredKeys: ['query'] },
);

/** One home, with a clock of its own; what is done to it may close and open it again. */
function house(folder: string) {
  let now = start;
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  const open = () =>
    openEmbedded({ config, log: plainLog('silent', () => undefined), sources: { ...systemSources, now: () => now } });
  let opened: Promise<Embedded> = open();
  const reopen = async (between: () => void = () => undefined): Promise<void> => {
    await (await opened).close();
    between();
    opened = open();
  };
  return {
    search: async (input: SearchInput) => {
      const embedded = await opened;
      return embedded.queries.search(input, embedded.caller('spec'));
    },
    async do(each: Step): Promise<void> {
      now += 3_600_000;
      const { commands, queries, caller, projector } = await opened;
      const me = caller('spec');
      if (each.do === 'write') await commands.write(each.item, me);
      else if (each.do === 'replay') await projector.replay();
      else if (each.do === 'reopen') await reopen();
      else if (each.do === 'lose views') {
        await reopen(() => {
          for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `views.db${end}`), { force: true });
        });
      } else if (each.do === 'forget' || each.do === 'restore') {
        const found = await queries.history({ key: each.key }, me).catch(() => undefined);
        if (found) await commands[each.do]({ memory_id: found.memory_id, reason: 'spec' }, me).catch(() => undefined);
      }
    },
    close: async () => (await opened).close(),
  };
}

const history = fc.array(step, { minLength: 1, maxLength: 12 });

test.prop([history, fc.array(question, { minLength: 1, maxLength: 3 }), history], { numRuns: 15 })(
  'over real files, the same basis gives the same answer, whatever was written, replayed, lost or reopened since',
  async (before, questions, after) => {
    const folder = mkdtempSync(join(tmpdir(), 'hl-basis-'));
    const home = house(folder);
    try {
      for (const each of before) await home.do(each);
      const answers = [];
      for (const each of questions) answers.push(await home.search(each));
      for (const each of [...after, { do: 'lose views' } as const]) {
        await home.do(each);
        for (const [at, { items, basis }] of answers.entries()) {
          const again = await home.search({ ...questions[at]!, basis });
          expect(again.items).toEqual(items);
          expect(again.basis).toBe(basis);
        }
      }
    } finally {
      await home.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
