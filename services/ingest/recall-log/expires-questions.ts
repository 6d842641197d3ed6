import { isHindsightError } from '#contract/errors.js';
import { recordRotation } from '#ledger/record-rotation.js';
import type { ErasingDeps } from '../erase/erasing-deps.js';
import { expireQuestions } from './expire-questions.js';

/** Milliseconds after the start, and between looks. */
const firstLook = 60_000;
const lookEvery = 6 * 3_600_000;

/** Ends what was asked long ago, from time to time, while a process stays. What fails is tried again. */
export function expiresQuestions(deps: ErasingDeps & { readonly days: number }): { close(): Promise<void> } {
  const { ledger, vault, sources, views, days, log } = deps;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const { expired, epoch } = await expireQuestions({
        vault,
        reader: await views.asTheyAre(),
        now: sources.now(),
        days,
      });
      if (epoch === undefined) return;
      await recordRotation(ledger, { ...sources, principal: 'system' }, { epoch, cause: 'erasure' });
      log?.warn(
        { questions: expired, epoch },
        'what was asked long ago can be read no more; the master key has moved: copy it anew, and let the former copy go',
      );
    } catch (error) {
      const why = isHindsightError(error) ? error.code : (error as Error).name;
      log?.warn({ why }, 'what was asked long ago could not be ended; trying again later');
    }
  }

  const start = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  };
  const first = days === 0 ? undefined : setTimeout(start, firstLook).unref();
  const every = days === 0 ? undefined : setInterval(start, lookEvery).unref();
  return {
    async close() {
      clearTimeout(first);
      clearInterval(every);
      await looking;
    },
  };
}
