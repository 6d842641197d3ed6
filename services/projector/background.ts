import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { ProjectorLog } from './fold/project-batch.js';

/** Milliseconds between looks at the ledger's head, half of it jitter so that processes do not look at the same moment. */
const lookEvery = 100;
/**
 * Appends that never pause are projected after this many milliseconds all the same: one client that writes without a pause leaves
 * about 3,000 memories by then, which a reader waits .6 s for (bench mcp, bench project).
 */
const longestWait = 3_000;

export interface BackgroundWork {
  readonly log: ProjectorLog;
  head(): Promise<Position | undefined>;
  hasPassed(target: Position | undefined): Promise<boolean>;
  /** Whether it falls to this process: of several on one store, one projects in the background. */
  isMine(): Promise<boolean>;
  project(target: Position): Promise<void>;
}

/** Ends when the signal aborts, or at an event that only a newer release knows. */
export async function runInBackground(signal: AbortSignal, work: BackgroundWork): Promise<void> {
  let seen: Position | undefined;
  let waitingSince: number | undefined;
  let complaint: string | undefined;
  while (!signal.aborted) {
    try {
      await sleep(lookEvery * (0.75 + Math.random() / 2), undefined, { signal, ref: false });
    } catch {
      return;
    }
    try {
      const head = await work.head();
      if (head === undefined || (await work.hasPassed(head))) {
        waitingSince = undefined;
        complaint = undefined;
        continue;
      }
      waitingSince ??= Date.now();
      const paused = head === seen;
      seen = head;
      if (!paused && Date.now() - waitingSince < longestWait) continue;
      if (!(await work.isMine())) continue;
      await work.project(head);
      waitingSince = undefined;
      complaint = undefined;
    } catch (error) {
      if (isHindsightError(error, 'unknown_event') || isHindsightError(error, 'newer_format')) {
        work.log.warn({ code: error.code }, error.message);
        return;
      }
      if (isHindsightError(error, 'ledger_busy')) continue;
      const message = error instanceof Error ? error.message : String(error);
      // A full disk stays full for more than one look: it is told once.
      if (message !== complaint) work.log.warn({ error: message }, 'projecting failed');
      complaint = message;
    }
  }
}
