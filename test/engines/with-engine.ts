import { describe } from 'vitest';
import { type EngineName, missingVariable } from './engines.js';
import { enginesRequired } from './required.js';
import { testEngines } from './test-engines.js';

type Describe = (title: string, tests: () => void) => void;

/**
 * `describe` for tests that use the running engines: skipped, with the reason in its name, where one of them could not be
 * had. `withEngine('kafka', 'postgres')('the relay', () => { … })`
 */
export function withEngine(...names: readonly EngineName[]): Describe {
  return unless(names.flatMap((name) => process.env[missingVariable(name)] ?? []));
}

/** The same for tests that start, and mistreat, engines of their own: where addresses are given, there may be none to start. */
export function withOwnEngine(...names: readonly EngineName[]): Describe {
  return unless(enginesRequired() ? [] : names.flatMap((name) => whyNot(() => testEngines[name].check())));
}

function unless(reasons: readonly string[]): Describe {
  if (reasons.length === 0) return describe;
  return (title, tests) => describe.skipIf(true)(`${title} (skipped: ${reasons.join('; ')})`, tests);
}

function whyNot(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
