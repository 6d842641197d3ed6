import type { Caller } from '#contract/caller.js';
import type { QueryPort } from '#contract/query-port.js';
import { type History, history } from '#projector/test-support/history.js';
import { type Station, type TestHome, testHome } from '#projector/test-support/test-home.js';
import { type Ended, vaultWithout } from '#projector/test-support/vault-without.js';
import { createQueries } from '../create-queries.js';

/** One bank of real files: events as ingest stores them, rows as the projector makes them, questions over both. */
export interface RealBank {
  readonly events: History;
  readonly queries: QueryPort;
  readonly caller: Caller;
  /** Ends the keys of a memory's contents, as an erase does after its event. */
  end(memoryId: string): void;
}

export interface RealViews {
  readonly station: Station;
  /** Milliseconds, for all banks. */
  now: number;
  /** A bank that nothing was written to. */
  bank(): RealBank;
  remove(): Promise<void>;
}

/** One ledger, vault and projector for many banks: opening files for each case would take longer than the cases. */
export async function realViews(): Promise<RealViews> {
  const home: TestHome = await testHome();
  const ended: Ended = { secrets: new Set(), banks: new Set() };
  const station = await home.station();
  let banks = 0;
  const views: RealViews = {
    station,
    now: 0,
    bank() {
      const bank = `q${++banks}`;
      const events = history(home.ledger, home.vault, bank, `${bank}-`);
      let ids = 0;
      const queries = createQueries({
        ledger: { id: home.ledger.id },
        vault: vaultWithout(home.vault, ended),
        reader: () => station.views.reader(),
        viewsStamp: () => station.views.stamp(),
        async catchUp() {
          await station.projector.catchUp();
          return undefined;
        },
        recordRecall: async () => undefined,
        recordAudit: async () => undefined,
        sources: { now: () => views.now, uuid: () => `recall-${ids++}`, random: (bytes) => new Uint8Array(bytes) },
        recallMode: 'strict',
        projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
        storeSizes: async () => ({}),
        onRecordingFailed: () => undefined,
      });
      return {
        events,
        queries,
        caller: { bank, principal: 'ann', roles: ['reader', 'auditor', 'reviewer'] },
        end: (memoryId) => {
          for (const id of events.secretsOf(memoryId)) ended.secrets.add(id);
        },
      };
    },
    remove: () => home.remove(),
  };
  return views;
}
