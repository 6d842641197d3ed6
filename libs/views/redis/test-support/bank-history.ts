import { setImmediate as breathe } from 'node:timers/promises';
import type { ViewsReader } from '../../reader.js';
import type { MemoryRow, MomentRow, VersionRow } from '../../rows.js';

/** The tables of one bank, of which every state is known. */
export interface BankHistory {
  readonly reader: ViewsReader;
  /** The same, which takes some turns of the event loop before it looks and as many after. */
  slowReader(turns: number): ViewsReader;
  /** The next version of a memory. */
  write(memoryId: string, keyHash: string): void;
  /** What a memory's row was at each moment from one on until now; undefined where it was not there. */
  statesOf(memoryId: string, from: number): (MemoryRow | undefined)[];
  docsOf(memoryId: string): number[];
  /** How many times moments, memories and versions were read. */
  readonly reads: number;
}

export function bankHistory(bank: string): BankHistory {
  const states: Map<string, MemoryRow>[] = [new Map()];
  const versions: VersionRow[] = [];
  let reads = 0;
  const seq = () => states.length - 1;
  const now = () => states.at(-1)!;
  const read = <T>(value: T): T => {
    reads += 1;
    return value;
  };
  const momentOf = (at: number): MomentRow | undefined =>
    at === 0
      ? undefined
      : {
          bank,
          seq: at,
          position: `p${at}`,
          eventId: `e${at}`,
          hash: `h${at}`,
          systemTime: new Date(at).toISOString(),
        };
  const notAsked = () => Promise.reject(new Error('not asked here'));

  const readerWith = (turns: number): ViewsReader => {
    const slowly = async <T>(look: () => T): Promise<T> => {
      for (let turn = 0; turn < turns; turn++) await breathe();
      const found = read(look());
      for (let turn = 0; turn < turns; turn++) await breathe();
      return found;
    };
    return {
      headMoment: () => slowly(() => momentOf(seq())),
      memory: (_bank, memoryId) => slowly(() => now().get(memoryId)),
      memoryByKey: (_bank, keyHash) => slowly(() => [...now().values()].find((row) => row.keyHash === keyHash)),
      versionsByDoc: (_bank, docs) => slowly(() => docs.flatMap((doc) => versions[doc] ?? [])),
      momentAtPosition: notAsked,
      momentAtTime: notAsked,
      momentWithHash: notAsked,
      momentsBySeq: notAsked,
      turnsBetween: notAsked,
      docsAround: notAsked,
      isMemoryOfAnotherBank: notAsked,
      changesOf: notAsked,
      spansOf: notAsked,
      docsWhere: notAsked,
      docsFrom: notAsked,
      spansChangedAfter: notAsked,
      postings: notAsked,
      banks: notAsked,
      bankEvents: notAsked,
      derivedFrom: notAsked,
      erasedValues: notAsked,
      unfinishedErasures: notAsked,
      findingsAfter: async () => [],
      ratingsAfter: async () => [],
      recallsOf: notAsked,
      recallsServing: notAsked,
      recallsAbout: notAsked,
      counts: notAsked,
      vectorState: notAsked,
      vectorSpaces: notAsked,
      vectorsFrom: notAsked,
      vectorsChangedAfter: notAsked,
    };
  };

  return {
    reader: readerWith(0),
    slowReader: readerWith,
    write(memoryId, keyHash) {
      const at = states.length;
      const version = (now().get(memoryId)?.version ?? 0) + 1;
      const row: MemoryRow = {
        bank,
        memoryId,
        status: 'current',
        version,
        kind: 'semantic',
        keyHash,
        revision: version - 1,
        seq: at,
      };
      states.push(new Map([...now(), [memoryId, row]]));
      versions.push({
        bank,
        memoryId,
        seq: at,
        doc: versions.length,
        version,
        stream: `hl.l.${bank}.memory-${memoryId}`,
        eventId: `e${at}`,
        type: version === 1 ? 'MemoryRecorded' : 'MemoryRevised',
        schema: 1,
        recordedAt: new Date(at).toISOString(),
        subjects: [],
        principal: 'ann',
        box: '{}',
        kind: 'semantic',
        origin: 'user',
        validFrom: new Date(at).toISOString(),
        derivedFrom: [],
      });
    },
    statesOf: (memoryId, from) => states.slice(from).map((state) => state.get(memoryId)),
    docsOf: (memoryId) => versions.filter((row) => row.memoryId === memoryId).map(({ doc }) => doc),
    get reads() {
      return reads;
    },
  };
}
