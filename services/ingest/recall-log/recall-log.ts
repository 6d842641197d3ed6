import type { Caller } from '#contract/caller.js';
import type { AuditedRead, ServedRecall } from '#contract/command-port.js';
import { isHindsightError } from '#contract/errors.js';
import { streamName } from '#events/stream-name.js';
import type { Log } from '../commit/log.js';
import { type Lane, type StoringDeps, storeGroup, type Waiting } from './recall-stream.js';

/** Recalls are stored at most this many milliseconds after their answer. */
const longestWait = 200;

/** While the ledger refuses, tries are made ever more seldom, down to one in so many milliseconds. */
const longestPause = 30_000;

/** Stored without waiting once so many have gathered. */
const groupSize = 128;

/** What waits while the ledger refuses: beyond it the oldest are given up, and counted. */
const mostWaiting = 2_000;

interface Deps extends StoringDeps {
  readonly log?: Log;
}

export interface RecallLog {
  record(recall: ServedRecall, caller: Caller, durable: boolean): Promise<void>;
  /** Durably, in the same stream: a look into the audit is to be on record before it is answered. */
  recordAudit(read: AuditedRead, caller: Caller): Promise<void>;
  /** Starts storing what waits, so that it shares an fsync with what is written now. */
  nudge(): void;
  /** Waits until all that is recorded is stored or given up. */
  flush(): Promise<void>;
  /** Recalls that could not be recorded since the start. */
  lost(): number;
  close(): Promise<void>;
}

/**
 * Puts answers on record, in groups, beside the answering: an answer is never late or lost for it, unless its caller asked
 * for a durable record.
 */
export function openRecallLog(deps: Deps): RecallLog {
  const { ledger, log } = deps;
  const { uuid } = deps.sealing.sources;
  const process = uuid();
  const lanes = new Map<string, Lane>();
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let pause = longestWait;
  /** What the last try failed with: what goes on failing, as in a read-only home, is told once. */
  let complaint: string | undefined;

  function laneOf(bank: string): Lane {
    const known = lanes.get(bank);
    if (known) return known;
    const stream = streamName({ ledger: ledger.id, bank, category: 'recall', id: process });
    const lane: Lane = {
      bank,
      stream,
      waiting: [],
      revision: -1,
      previous: null,
      recordedAt: 0,
      unsure: false,
      storing: undefined,
    };
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
        complaint = undefined;
        pause = longestWait;
      } catch (error) {
        const code = codeOf(error);
        if (code === 'bank_erased') {
          // It was deleted, and all records of what was asked there with it: no later try will be taken.
          for (const { settle } of [...group, ...lane.waiting.splice(0)]) settle?.reject(error);
          return;
        }
        if (code !== complaint)
          log?.warn({ stream: lane.stream, recalls: group.length, code }, 'recalls were not recorded; trying again');
        complaint = code;
        pause = Math.min(pause * 2, longestPause);
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

  function stored(lane: Lane, content: Waiting['content'], caller: Caller): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      lane.waiting.push({ eventId: uuid(), content, caller, settle: { resolve, reject } });
      void store(lane);
    });
  }

  function storeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush().then(() => {
        if ([...lanes.values()].some((lane) => lane.waiting.length)) storeSoon();
      });
    }, pause).unref();
  }

  async function flush(): Promise<void> {
    await Promise.all([...lanes.values()].map((lane) => store(lane)));
  }

  return {
    record(recall, caller, durable) {
      const lane = laneOf(caller.bank);
      if (!durable) {
        lane.waiting.push({ eventId: uuid(), content: { recall }, caller });
        if (lane.waiting.length > mostWaiting) putBack(lane, []);
        if (lane.waiting.length >= groupSize && !lane.storing) void store(lane);
        storeSoon();
        return Promise.resolve();
      }
      return stored(lane, { recall }, caller);
    },
    recordAudit: (audit, caller) => stored(laneOf(caller.bank), { audit }, caller),
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

function codeOf(error: unknown): string {
  return isHindsightError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}
