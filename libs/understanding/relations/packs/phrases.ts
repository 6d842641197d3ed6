/** The phrases of a list that is parted by bars. */
export function phrases(list: string): string[] {
  return list
    .split('|')
    .map((each) => each.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
}
