import type { ViewsReader } from '../reader.js';
import type { MemoryRow, MomentRow, VersionRow } from '../rows.js';
import type { Entries } from './entries.js';

/** A memory's state, and the moment as of which it is that. */
interface KeptMemory {
  readonly seq: number;
  readonly hash: string;
  readonly row: MemoryRow;
}

/**
 * The same answers as the reader's, some of them out of the cache. For one question: it remembers the head that was read for it, which
 * decides what of the cache counts.
 *
 * A memory's state is kept with the head that was read before it. It was read at that head or later, and its last event is not after
 * that head, so it is the state as of exactly that head; and it is served only where the same head (number and hash) was read. A
 * version never changes within one set of tables. Both are named by the views' stamp, since other tables may number otherwise.
 * So a write that is lost, late or overwritten in the cache is a miss, never another answer.
 * @param stamp of the views, read before
 */
export function hotReader(reader: ViewsReader, entries: Entries, stamp: string): ViewsReader {
  const heads = new Map<string, MomentRow | undefined>();

  async function memory(
    bank: string,
    kind: 'memory' | 'slot',
    name: string,
    read: () => Promise<MemoryRow | undefined>,
  ): Promise<MemoryRow | undefined> {
    const head = heads.get(bank);
    const looked = head && (await entries.look(bank, kind, [[stamp, name]]));
    if (!looked) return read();
    const kept = looked.values[0] as KeptMemory | undefined;
    if (kept?.seq === head.seq && kept.hash === head.hash) return kept.row;
    const row = await read();
    if (row && row.seq <= head.seq) {
      const fresh: KeptMemory = { seq: head.seq, hash: head.hash, row };
      looked.keep(new Map([[0, fresh]]));
    }
    return row;
  }

  return {
    ...reader,
    async headMoment(bank) {
      const head = await reader.headMoment(bank);
      heads.set(bank, head);
      return head;
    },
    memory: (bank, memoryId) => memory(bank, 'memory', memoryId, () => reader.memory(bank, memoryId)),
    memoryByKey: (bank, keyHash) => memory(bank, 'slot', keyHash, () => reader.memoryByKey(bank, keyHash)),
    async versionsByDoc(bank, docs) {
      const names = docs.map((doc) => [stamp, String(doc)]);
      const looked = await entries.look(bank, 'version', names);
      if (!looked) return reader.versionsByDoc(bank, docs);
      const missing = docs.filter((_, at) => looked.values[at] === undefined);
      const read = new Map<number, VersionRow>();
      if (missing.length) for (const row of await reader.versionsByDoc(bank, missing)) read.set(row.doc, row);
      const fresh = new Map<number, VersionRow>();
      const rows = docs.flatMap((doc, at) => {
        const kept = looked.values[at] as VersionRow | undefined;
        if (kept) return [kept];
        const row = read.get(doc);
        if (row) fresh.set(at, row);
        return row ? [row] : [];
      });
      looked.keep(fresh);
      return rows;
    },
  };
}
