import type { Caller } from '#contract/caller.js';
import type { ServedRecall } from '#contract/command-port.js';

export interface QueuedRecall {
  readonly recall: ServedRecall;
  readonly caller: Caller;
}

export interface RecallQueue {
  /** Never waits and never fails: beyond what is held, the oldest are given up. */
  add(recall: QueuedRecall): void;
  /** Waits until all is sent, or a sending failed. */
  flush(): Promise<void>;
  /** Recalls given up since the start. */
  lost(): number;
  close(): Promise<void>;
}

/** Milliseconds that recalls are gathered for. */
const gatherMs = 100;
/** While nothing can be sent, tries are made ever more seldom, down to one in so many milliseconds. */
const longestPause = 30_000;
const groupSize = 256;
const mostHeld = 5_000;

/**
 * Recalls that are put on record beside the answering.
 * @param send rejects when they could not be handed over: then they stay
 * @param complain told once of what goes on failing, and how many are held
 */
export function recallQueue(
  send: (group: readonly QueuedRecall[]) => Promise<void>,
  complain: (error: unknown, held: number) => void,
): RecallQueue {
  let held: QueuedRecall[] = [];
  let lost = 0;
  let pause = gatherMs;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    while (held.length) {
      const group = held.slice(0, groupSize);
      try {
        await send(group);
      } catch (error) {
        if (!failing) complain(error, held.length);
        failing = true;
        pause = Math.min(pause * 2, longestPause);
        return;
      }
      const sent = new Set(group);
      held = held.filter((each) => !sent.has(each));
      failing = false;
      pause = gatherMs;
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (held.length) sendSoon();
    });
    return sending;
  }

  function sendSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, pause).unref();
  }

  return {
    add(recall) {
      held.push(recall);
      if (held.length > mostHeld) {
        held.shift();
        lost++;
      }
      sendSoon();
    },
    flush,
    lost: () => lost,
    async close() {
      await flush();
      clearTimeout(timer);
      lost += held.length;
      held = [];
    },
  };
}
