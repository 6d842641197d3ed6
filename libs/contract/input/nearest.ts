/**
 * The known name that someone who wrote `name` most likely meant: a slip of two letters, or a part of the name. Only ASCII
 * letters and digits count.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  if (wanted.length < 2 || wanted.length > 40) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, away: distance(wanted, plain(candidate)) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  if (best && best.away <= (wanted.length < 5 ? 1 : 2)) return best.candidate;
  return known.find((candidate) => {
    const name = plain(candidate);
    return name.startsWith(wanted) || (name.length > 1 && wanted.startsWith(name));
  });
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Levenshtein's: insertions, deletions and replacements of a letter. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
