import type { Caller } from '#contract/caller.js';
import type { ServedRecall } from '#contract/command-port.js';
import { isHindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import type { RecallServed } from '#events/recall-served.js';
import { streamName } from '#events/stream-name.js';
import { type Ledger, maxAppendBytes } from '#ledger/ledger.js';
import type { Log } from '../commit/log.js';
import { type SealingTools, sealChange } from '../commit/seal-change.js';

/** Recalls are stored at most this many milliseconds after their answer. */
const longestWait = 200;

/** Stored without waiting once so many have gathered. */
const groupSize = 128;

/** What waits while the ledger refuses: beyond it the oldest are given up, and counted. */
const mostWaiting = 2_000;

const longestQuery = 16 * 1024; // characters; a longer question is recorded cut

interface Deps {
  readonly ledger: Ledger;
  readonly sealing: SealingTools;
  readonly log?: Log;
}

export interface RecallLog {
  record(recall: ServedRecall, caller: Caller, durable: boolean): Promise<void>;
  /** Starts storing what waits, so that it shares an fsync with what is written now. */
  nudge(): void;
  /** Waits until all that is recorded is stored or given up. */
  flush(): Promise<void>;
  /** Recalls that could not be recorded since the start. */
  lost(): number;
  close(): Promise<void>;
}

interface Waiting {
  readonly recall: ServedRecall;
  readonly caller: Caller;
  readonly settle?: { resolve(): void; reject(error: unknown): void };
}

/** The recall stream of this process in one bank: nobody else writes to it. */
interface Lane {
  readonly bank: string;
  readonly stream: string;
  waiting: Waiting[];
  revision: number;
  previous: string | null;
  recordedAt: number;
  storing: Promise<void> | undefined;
}

/**
 * Puts answers on record, in groups, beside the answering: an answer is never late or lost for it, unless its caller asked
 * for a durable record.
 */
export function openRecallLog(deps: Deps): RecallLog {
  const { ledger, log } = deps;
  const process = deps.sealing.sources.uuid();
  const lanes = new Map<string, Lane>();
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;

  function laneOf(bank: string): Lane {
    const known = lanes.get(bank);
    if (known) return known;
    const stream = streamName({ ledger: ledger.id, bank, category: 'recall', id: process });
    const lane: Lane = { bank, stream, waiting: [], revision: -1, previous: null, recordedAt: 0, storing: undefined };
    lanes.set(bank, lane);
    return lane;
  }

  function store(lane: Lane): Promise<void> {
    lane.storing ??= storeAll(lane).finally(() => {
      lane.storing = undefined;
    });
    return lane.storing;
  }

  async function storeAll(lane: Lane): Promise<void> {
    while (lane.waiting.length) {
      const group = lane.waiting.splice(0, groupSize);
      try {
        await storeGroup(deps, lane, group);
        for (const { settle } of group) settle?.resolve();
      } catch (error) {
        log?.warn({ stream: lane.stream, recalls: group.length, code: codeOf(error) }, 'recalls were not recorded');
        for (const { settle } of group) settle?.reject(error);
        putBack(
          lane,
          group.filter(({ settle }) => !settle),
        );
        return;
      }
    }
  }

  function putBack(lane: Lane, group: readonly Waiting[]): void {
    const all = [...group, ...lane.waiting];
    const over = Math.max(0, all.length - mostWaiting);
    lost += over;
    lane.waiting = all.slice(over);
  }

  function storeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush().then(() => {
        if ([...lanes.values()].some((lane) => lane.waiting.length)) storeSoon();
      });
    }, longestWait).unref();
  }

  async function flush(): Promise<void> {
    await Promise.all([...lanes.values()].map((lane) => store(lane)));
  }

  return {
    record(recall, caller, durable) {
      const lane = laneOf(caller.bank);
      if (!durable) {
        lane.waiting.push({ recall, caller });
        if (lane.waiting.length > mostWaiting) putBack(lane, []);
        if (lane.waiting.length >= groupSize && !lane.storing) void store(lane);
        storeSoon();
        return Promise.resolve();
      }
      return new Promise<void>((resolve, reject) => {
        lane.waiting.push({ recall, caller, settle: { resolve, reject } });
        void store(lane);
      });
    },
    nudge() {
      for (const lane of lanes.values()) if (lane.waiting.length && !lane.storing) void store(lane);
    },
    flush,
    lost: () => lost,
    async close() {
      clearTimeout(timer);
      await flush();
      for (const lane of lanes.values()) lost += lane.waiting.splice(0).length;
    },
  };
}

async function storeGroup(deps: Deps, lane: Lane, group: readonly Waiting[]): Promise<void> {
  let { revision, previous, recordedAt } = lane;
  let events: EncodedEvent[] = [];
  let bytes = 0;
  for (const { recall, caller } of group) {
    revision += 1;
    recordedAt = Math.max(recordedAt, deps.sealing.sources.now());
    const encoded = await sealRecall(deps, lane, recall, caller, { revision, previous, recordedAt });
    previous = Buffer.from(encoded.hash).toString('base64url');
    const size = encoded.bytes.length + 64;
    if (bytes + size > maxAppendBytes && events.length) {
      await append(deps.ledger, lane, events, recordedAt);
      events = [];
      bytes = 0;
    }
    events.push(encoded);
    bytes += size;
  }
  await append(deps.ledger, lane, events, recordedAt);
}

async function append(ledger: Ledger, lane: Lane, events: readonly EncodedEvent[], recordedAt: number): Promise<void> {
  const first = events[0];
  if (!first) return;
  try {
    await ledger.append(lane.stream, events, first.revision === 0 ? 'no_stream' : first.revision - 1);
  } catch (error) {
    // After a lost answer the stream is further on than this process knows: the next group goes on from what is there.
    for await (const last of ledger.readStream(lane.stream, { direction: 'backward', limit: 1 })) standAt(lane, last);
    const stored = events.at(-1)!.revision <= lane.revision;
    if (!stored) throw error;
    return;
  }
  standAt(lane, events.at(-1)!);
  lane.recordedAt = recordedAt;
}

function standAt(lane: Lane, { revision, hash }: Pick<EncodedEvent, 'revision' | 'hash'>): void {
  lane.revision = revision;
  lane.previous = Buffer.from(hash).toString('base64url');
}

/** With a secret of its own: the record goes with any subject whose memory it served, and by itself in time. */
async function sealRecall(
  deps: Deps,
  lane: Lane,
  recall: ServedRecall,
  caller: Caller,
  at: { readonly revision: number; readonly previous: string | null; readonly recordedAt: number },
): Promise<EncodedEvent> {
  const event: RecallServed = {
    type: 'RecallServed',
    data: {
      recallId: recall.recallId,
      position: recall.position,
      at: recall.at,
      validAt: recall.validAt,
      items: recall.items.map(({ memoryId, version, score }) => ({ memoryId, version, score })),
      tookMs: recall.tookMs,
    },
    content: { query: recall.query.slice(0, longestQuery).toWellFormed(), filters: recall.filters?.toWellFormed() },
  };
  const place = {
    ledger: deps.ledger.id,
    bank: lane.bank,
    stream: lane.stream,
    revision: at.revision,
    previous: at.previous,
    recordedAt: new Date(at.recordedAt).toISOString(),
  };
  const origin = { session: recall.sessionId?.toWellFormed(), subjectHashes: recall.subjects };
  return (await sealChange(deps.sealing, event, place, caller, origin, await deps.sealing.vault.freshSecret())).encoded;
}

function codeOf(error: unknown): string {
  return isHindsightError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}
