import { isHindsightError } from '#contract/errors.js';
import { catalogue, isEventType } from '#events/catalogue.js';
import type { EncodedEvent } from '#events/envelope.js';
import type { Ledger } from '#ledger/ledger.js';
import { type SealLimits, type SealTools, sealLedger } from '#ledger/seal-ledger.js';
import type { Log } from '../commit/log.js';

/** How often a ledger is sealed while this process writes. */
export interface SealPace {
  /** After so many events of this process; 0: never by itself, at exit neither. */
  readonly events: number;
  /** And so many minutes after the first event that no seal of this process covers; 0: not by time. */
  readonly minutes: number;
}

/** At exit nobody waits for more than this to be read and hashed: about a tenth of a second on files. */
const mostAtExit = 10_000;
/** Milliseconds that an exit waits for: a server that is away is not waited for. */
const exitWithinMs = 2_000;

interface Deps {
  readonly ledger: Ledger;
  readonly tools: SealTools;
  readonly pace: SealPace;
  readonly log?: Log;
}

export interface PeriodicSeals {
  /** The same ledger, whose appends are counted. */
  readonly ledger: Ledger;
  /** Seals what this process wrote, unless that was nothing that can change an answer. The ledger stays open. */
  close(): Promise<void>;
}

/**
 * Seals beside the writing: an append never waits for it. A seal that cannot be made is told, and left to the next one, which covers
 * the same events and more.
 */
export function periodicSeals({ ledger, tools, pace, log }: Deps): PeriodicSeals {
  let counted = 0;
  /** Whether this process wrote what can change an answer since its last seal: one that was only asked leaves no seal behind. */
  let matters = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function start(limits: SealLimits): Promise<void> {
    running ??= seal(limits).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function seal(limits: SealLimits): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    counted = 0;
    const before = matters;
    matters = false;
    try {
      if ((await sealLedger(ledger, tools, limits)).outcome === 'sealed') return;
      matters ||= before;
    } catch (error) {
      matters ||= before;
      const code = isHindsightError(error) ? error.code : (error as Error).name;
      // Where another process seals all the time, or the ledger has moved, there is nothing to tell.
      if (code !== 'wrong_expected_revision' && code !== 'ledger_moved')
        log?.warn({ code }, 'the ledger was not sealed; the next seal covers what this one would have');
    }
    later();
  }

  function later(): void {
    if (pace.minutes > 0) timer ??= setTimeout(() => void start({}), pace.minutes * 60_000).unref();
  }

  function count(events: readonly EncodedEvent[]): void {
    counted += events.length;
    matters ||= events.some(({ type }) => !isEventType(type) || catalogue[type].changesAnswers);
    // Another process may have sealed meanwhile: then there is no need yet.
    if (counted >= pace.events) void start({ least: Math.ceil(pace.events / 2) });
    else later();
  }

  return {
    ledger:
      pace.events === 0
        ? ledger
        : {
            ...ledger,
            async append(stream, events, expected) {
              const appended = await ledger.append(stream, events, expected);
              if (!appended.repeated) count(events);
              return appended;
            },
          },
    async close() {
      clearTimeout(timer);
      const ending = (async () => {
        await running;
        clearTimeout(timer);
        if (matters) await start({ most: mostAtExit });
      })();
      let late: NodeJS.Timeout | undefined;
      const lateness = new Promise<void>((resolve) => {
        late = setTimeout(resolve, exitWithinMs);
      });
      await Promise.race([ending, lateness]);
      clearTimeout(late);
    },
  };
}
