import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import type { Vault } from '#sealing/vault.js';
import { testVault } from '#test/test-vault.js';
import { dumpDigest } from '#views/canonical-dump.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { createProjector, type Projector, type ProjectorOptions } from '../create-projector.js';
import { allProjections } from '../projections/all-projections.js';
import type { EnrichGiven, VersionGiven } from './history.js';
import { type History, history } from './history.js';

/** A views store and its projector, as one process has them. */
export interface Station {
  readonly views: Views;
  readonly projector: Projector;
  /** Sentences that were logged. */
  readonly logged: string[];
  /** Events that the ledger was said to be damaged at. */
  readonly damaged: { what: string; position: string }[];
  close(): Promise<void>;
}

export interface TestHome {
  readonly folder: string;
  readonly viewsPath: string;
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly events: History;
  /** Another process over these files, or over a views file of its own. */
  station(options?: ProjectorOptions & { file?: string; ledger?: Ledger }): Promise<Station>;
  remove(): Promise<void>;
}

export async function testHome(): Promise<TestHome> {
  const folder = mkdtempSync(join(tmpdir(), 'hl-projector-'));
  const ledger = await openSqliteLedger(join(folder, 'ledger.db'));
  const vault = await testVault();
  const stations: Station[] = [];
  return {
    folder,
    viewsPath: join(folder, 'views.db'),
    ledger,
    vault,
    events: history(ledger, vault, 'b1'),
    async station({ file = 'views.db', ledger: other, ...options } = {}) {
      const logged: string[] = [];
      const damaged: { what: string; position: string }[] = [];
      const say = (_fields: object, sentence: string) => logged.push(sentence);
      const log = { info: say, warn: say };
      const views = await openSqliteViews(join(folder, file), {
        ledger: ledger.id,
        shapes: options.projections ?? allProjections,
        log,
      });
      const markDamaged = (damage: { what: string; position: string }) => damaged.push(damage);
      const projector = createProjector({ ledger: other ?? ledger, views, vault, log, markDamaged }, options);
      let open = true;
      const station: Station = {
        views,
        projector,
        logged,
        damaged,
        async close() {
          if (!open) return;
          open = false;
          await projector.close();
          await views.close();
        },
      };
      stations.push(station);
      return station;
    },
    async remove() {
      for (const station of stations) await station.close();
      await ledger.close();
      await vault.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The digest of every projection in use. */
export async function digests({ views }: Pick<Station, 'views'>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const generation of await views.generations())
    if (generation.active) found[generation.projection] = (await dumpDigest(views, generation)).digest;
  return found;
}

/** Some life of a bank: writes, revisions of the past, retractions, recalls; the same for the same count. */
export async function live(events: History, count: number): Promise<void> {
  await events.createBank('a bank');
  for (let index = 0; index < count; index++) {
    const memory = `m${(index * 7) % Math.ceil(count / 3)}`;
    const day = String(1 + (index % 28)).padStart(2, '0');
    if (index % 11 === 10) await events.forget(memory);
    else if (index % 13 === 12) await events.restore(memory);
    else {
      await events.write(memory, versionOf(index, day));
      if (index % 7 === 3) await events.enrich(memory, { names: [`Name ${index % 5}`, '王伟'], dates: [datedOf(day)] });
      if (index % 9 === 4) await events.rate(memory, index % 2 ? 'useful' : 'wrong', { recallId: `r${index}` });
    }
    if (index % 5 === 0) await events.recallServed();
  }
}

function datedOf(day: string): NonNullable<EnrichGiven['dates']>[number] {
  const from = `2026-02-${day}T00:00:00.000Z`;
  const to = new Date(Date.parse(from) + 86_400_000).toISOString();
  return { from, to, grain: 'day', exact: true, words: [0, 3] };
}

function versionOf(index: number, day: string): VersionGiven {
  return {
    content: `the build of day ${day} took ${index} minutes 数据库迁移 ${'again '.repeat(index % 20)}`,
    ...(index % 4 === 0 ? { validFrom: `2026-02-${day}T00:00:00.000Z` } : {}),
    ...(index % 8 === 0 ? { validTo: `2026-03-${day}T00:00:00.000Z` } : {}),
    ...(index % 6 === 0 ? { tags: ['ci', `day-${day}`], key: `build.${day}` } : {}),
    ...(index % 9 === 0 ? { subjects: ['Ada'], session: `s${index % 3}` } : {}),
    ...(index % 10 === 0 ? { kind: 'episodic' as const, expiresAt: '2026-03-02T00:00:00.000Z' } : {}),
  };
}
