import type { Caller } from '#contract/caller.js';
import type { AuditedRead, ServedRecall } from '#contract/command-port.js';
import type { QueryPort } from '#contract/query-port.js';
import type { Vault } from '#sealing/vault.js';
import { createQueries } from '../create-queries.js';
import type { QueryDeps } from '../query-deps.js';
import { fakeVault } from './fake-vault.js';
import { type FakeViews, fakeViews, ledgerId } from './fake-views.js';

export const start = Date.parse('2026-03-01T00:00:00.000Z');
export const day = 86_400_000;

/** Queries over views in memory, with a clock that the test sets. */
export interface QuestionBench {
  readonly queries: QueryPort;
  readonly caller: Caller;
  readonly served: ServedRecall[];
  readonly audited: AuditedRead[];
  /** Milliseconds. */
  now: number;
  readonly views: FakeViews;
  /** What its queries are made of. */
  readonly deps: QueryDeps;
  /** Queries over the same views that have read nothing yet. */
  freshQueries(): QueryPort;
  /** As if the views had been dropped and built anew: nothing read before counts. */
  rebuild(): void;
}

export function questionBench(
  recallMode: 'relaxed' | 'strict' = 'strict',
  instead: (vault: Vault) => Partial<QueryDeps> = () => ({}),
): QuestionBench {
  const vault = fakeVault();
  const views = fakeViews(vault, 'b1');
  const served: ServedRecall[] = [];
  const audited: AuditedRead[] = [];
  let stamp = 0;
  let ids = 0;
  const deps: QueryDeps = {
    ledger: { id: ledgerId },
    vault,
    reader: views.reader,
    viewsStamp: async () => String(stamp),
    catchUp: async () => undefined,
    recordRecall: async (recall) => {
      served.push(recall);
    },
    recordAudit: async (read) => {
      audited.push(read);
    },
    sources: { now: () => bench.now, uuid: () => `recall-${ids++}`, random: (bytes) => new Uint8Array(bytes) },
    recallMode,
    projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
    storeSizes: async () => ({ 'ledger.db': 1 }),
    onRecordingFailed: () => undefined,
    ...instead(vault),
  };
  const bench: QuestionBench = {
    caller: { bank: 'b1', principal: 'ann', roles: ['reader'] },
    served,
    audited,
    deps,
    now: start,
    views,
    rebuild: () => {
      stamp++;
    },
    queries: createQueries(deps),
    freshQueries: () => createQueries(deps),
  };
  return bench;
}
