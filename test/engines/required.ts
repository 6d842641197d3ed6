/** Whether an engine that is missing is a failure, rather than a reason to skip its tests: in CI, and where it is said. */
export function enginesRequired(): boolean {
  const ci = process.env.CI ?? '';
  return process.env.HINDSIGHT_LEDGER_ENGINES === 'required' || !['', '0', 'false'].includes(ci);
}
