import type { Engine } from './engine-process.js';
import { type EngineName, engineNames, missingVariable, variables } from './engines.js';
import { EngineMissing } from './install/engine-missing.js';
import { enginesRequired } from './required.js';
import { installed, testEngines } from './test-engines.js';

/**
 * Starts, before the tests of a vitest project, each engine whose address nobody has given; ends them afterwards. One that
 * cannot be had fails in CI and where HINDSIGHT_LEDGER_ENGINES is `required`; elsewhere its tests are skipped, and a line
 * says why.
 */
export default async function startTestEngines(): Promise<() => Promise<void>> {
  const started: Engine[] = [];
  const stop = async () => void (await Promise.all(started.map((engine) => engine.remove())));
  const required = enginesRequired();
  const outcomes = await Promise.allSettled(
    engineNames.map(async (name) => {
      const given = process.env[variables[name]];
      if (given) return say(name, `given, at ${withoutPassword(given)}`);
      const began = Date.now();
      const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
      try {
        const how = (await installed(testEngines[name])) ? `installed in ${seconds()}` : 'found';
        const { engine, address } = await testEngines[name].start();
        started.push(engine);
        process.env[variables[name]] = address;
        say(name, `${how}, running at ${withoutPassword(address)} after ${seconds()}`);
      } catch (error) {
        if (!(error instanceof EngineMissing) || required) throw error;
        process.env[missingVariable(name)] = error.message;
        say(name, `MISSING, its tests are skipped: ${error.message}`);
      }
    }),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
  if (failures.length === 0) return stop;
  await stop();
  throw new Error(`Engines that these tests need cannot be had:\n${failures.map(({ message }) => message).join('\n')}`);
}

function say(name: EngineName, sentence: string): void {
  process.stderr.write(`engine ${name}: ${sentence}\n`);
}

function withoutPassword(address: string): string {
  return address.replace(/:[^:@/]*@/, ':…@');
}
