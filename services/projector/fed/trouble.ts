import { isHindsightError } from '#contract/errors.js';
import type { ProjectorLog } from '../fold/project-batch.js';

/** What goes on failing, told once. */
export interface Trouble {
  /** The error that has not passed yet. */
  readonly present: { readonly code: string; readonly message: string } | undefined;
  /** @returns milliseconds to wait before the next try */
  met(error: unknown): number;
  over(): void;
}

/** Milliseconds before the first repetition, and at most. */
const pauses = { first: 100, most: 5_000 };

/** @param where ids that the log names with it */
export function createTrouble(log: ProjectorLog, where: object, sentence: string): Trouble {
  let present: Trouble['present'];
  let pause = pauses.first;
  return {
    get present() {
      return present;
    },
    met(error) {
      const found = codeAndMessage(error);
      if (found.code !== present?.code || found.message !== present.message)
        log.warn({ ...where, code: found.code, error: found.message }, sentence);
      present = found;
      const wait = pause * (0.75 + Math.random() / 2);
      pause = Math.min(pause * 2, pauses.most);
      return wait;
    },
    over() {
      if (present) log.info({ ...where, code: present.code }, `${sentence}: it is over`);
      present = undefined;
      pause = pauses.first;
    },
  };
}

function codeAndMessage(error: unknown): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { code: isHindsightError(error) ? error.code : 'internal', message: message.split('\n')[0]!.slice(0, 300) };
}
