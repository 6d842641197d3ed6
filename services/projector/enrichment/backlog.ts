import type { ViewsReader } from '#views/reader.js';

/** A version that may be read: while it is the memory's latest, and served. */
export interface Candidate {
  readonly memoryId: string;
  readonly version: number;
  readonly doc: number;
}

/** What of a bank the model has not read yet, in the order in which it was written. */
export interface Backlog {
  /** Takes note of what was projected since. */
  refresh(): Promise<void>;
  /** Versions that may have to be read: some of them may turn out to have been read, or not to be served. */
  size(): number;
  /**
   * The next to be read; it stays in the backlog until it is `settled`.
   * @param now milliseconds since the epoch
   */
  next(count: number, now: number): Promise<Candidate[]>;
  /** It was read, or cannot be. */
  settled(candidate: Candidate): void;
  /** Calls back once the views tell of its reading. */
  onceProjected(candidate: Candidate, then: () => void): void;
  /** What readings cost, of whichever model, that were recorded after a moment (milliseconds). */
  spentSince(moment: number): number;
}

/** Turns read at a time. */
const turnsAtOnce = 10_000;
/** What brings a memory back, which was passed over while it was not served. */
const bringsBack = new Set(['MemoryRestored', 'MemoryReleased', 'MemoryUnarchived']);

/** @param model fingerprint of whoever reads: what another one has read is read again */
export function backlog(reader: () => ViewsReader, bank: string, model: string): Backlog {
  let seq = 0;
  let docs = 0;
  let waiting = new Map<string, Candidate>();
  let done = new Set<string>();
  const recorded = new Map<string, () => void>();
  /** By where they are recorded: views may tell of a reading before they have come as far, and tell of it again. */
  const spent = new Map<number, { readonly at: number; readonly tokens: number }>();

  function reset(): void {
    seq = 0;
    docs = 0;
    waiting = new Map();
    done = new Set();
    spent.clear();
  }

  async function broughtBack(from: ViewsReader, upTo: number): Promise<string[]> {
    const ids = new Set<string>();
    for (let after = seq; ; ) {
      const rows = await from.turnsBetween(bank, after, upTo, turnsAtOnce);
      for (const { memoryId, type } of rows) if (bringsBack.has(type)) ids.add(memoryId);
      if (rows.length < turnsAtOnce) return [...ids];
      after = rows.at(-1)!.seq;
    }
  }

  /** Undefined where it is not to be read; `later` where the views have not come as far. */
  async function asItStands(from: ViewsReader, { memoryId, version }: Candidate, now: number) {
    const row = await from.memory(bank, memoryId);
    if (!row || row.version < version) return 'later';
    const isServed = row.status === 'current' && row.version === version;
    const isExpired = row.expiresAt !== undefined && Date.parse(row.expiresAt) <= now;
    return isServed && !isExpired && !done.has(nameOf({ memoryId, version })) ? 'now' : 'never';
  }

  return {
    async refresh() {
      const from = reader();
      const head = await from.headMoment(bank);
      if (head?.seq === seq) return;
      if (!head || head.seq < seq) reset();
      if (!head) return;
      // What is waited for goes to the end with its latest version.
      for (const { memoryId, version, doc } of await from.docsFrom(bank, docs)) {
        waiting.delete(memoryId);
        waiting.set(memoryId, { memoryId, version, doc });
        docs = doc + 1;
      }
      for (const memoryId of await broughtBack(from, head.seq)) {
        const last = (await from.spansOf(bank, memoryId)).reduce<Candidate | undefined>(
          (latest, { version, doc }) => (latest && latest.version >= version ? latest : { memoryId, version, doc }),
          undefined,
        );
        if (last && !waiting.has(memoryId)) waiting.set(memoryId, last);
      }
      for (const row of await from.findingsAfter(bank, seq)) {
        spent.set(row.seq, { at: Date.parse(row.at), tokens: row.tokensRead + row.tokensWritten });
        if (row.model !== model) continue;
        done.add(nameOf(row));
        recorded.get(nameOf(row))?.();
        recorded.delete(nameOf(row));
        if (waiting.get(row.memoryId)?.version === row.version) waiting.delete(row.memoryId);
      }
      seq = head.seq;
    },
    size: () => waiting.size,
    async next(count, now) {
      const from = reader();
      const found: Candidate[] = [];
      for (const candidate of waiting.values()) {
        if (found.length === count) break;
        const when = await asItStands(from, candidate, now);
        if (when === 'now') found.push(candidate);
        else if (when === 'never') waiting.delete(candidate.memoryId);
        else break;
      }
      return found;
    },
    settled({ memoryId, version }) {
      if (waiting.get(memoryId)?.version === version) waiting.delete(memoryId);
    },
    onceProjected(candidate, then) {
      if (done.has(nameOf(candidate))) then();
      else recorded.set(nameOf(candidate), then);
    },
    spentSince(moment) {
      for (const [seq, { at }] of spent) if (at <= moment) spent.delete(seq);
      return [...spent.values()].reduce((sum, { tokens }) => sum + tokens, 0);
    },
  };
}

function nameOf({ memoryId, version }: Pick<Candidate, 'memoryId' | 'version'>): string {
  return `${memoryId} ${version}`;
}
