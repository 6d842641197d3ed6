/** The part of a key that decides its slot in a cluster: between the first brace and the next closing one, if anything is between them. */
export function keyTag(key: string): string {
  const from = key.indexOf('{');
  const to = from < 0 ? -1 : key.indexOf('}', from + 1);
  return to > from + 1 ? key.slice(from + 1, to) : key;
}
