/** The words of a list that is parted by white space. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(wordsOf(list));
}

export function wordsOf(list: string): string[] {
  return list.split(/\s+/).filter(Boolean);
}

/** The entries of a list of names of several words, parted by commas or new lines. */
export function entriesOf(list: string): string[] {
  return list
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
}
