/** What somebody said of an event that is no version: why it was done, or what came with a rating; undefined where nothing was said. */
export function wordsOf({ reason, note }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof reason === 'string') return reason;
  return typeof note === 'string' ? note : undefined;
}
