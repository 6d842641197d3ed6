/**
 * The environment of a process of the product under test: without the settings of the machine that runs the tests, and without a model, since
 * what is found would depend on how far embedding has come. Tests about embeddings name one.
 */
export function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !pair[0].startsWith('HINDSIGHT_LEDGER_'),
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', HINDSIGHT_LEDGER_EMBEDDINGS: 'none', ...extra };
}
