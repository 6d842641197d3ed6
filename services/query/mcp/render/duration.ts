const units = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Seconds in their two largest units, rounded down: `1d 4h`, `12m 5s`, `2y 40d`; `0.4s` below one. */
export function shownDuration(seconds: number): string {
  if (seconds < 0) return `-${shownDuration(-seconds)}`;
  if (seconds < 1) return `${Math.floor(seconds * 10) / 10}s`;
  const first = units.findIndex(([, length]) => seconds >= length);
  let left = Math.floor(seconds);
  return units
    .slice(first, first + 2)
    .map(([name, length]) => {
      const count = Math.floor(left / length);
      left -= count * length;
      return count > 0 ? `${count}${name}` : '';
    })
    .filter(Boolean)
    .join(' ');
}
