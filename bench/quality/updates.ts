/** What a set says of a fact that changed: ids of what holds now, and of what held before. */
export interface Update {
  readonly current: ReadonlySet<string>;
  readonly stale: ReadonlySet<string>;
}

/**
 * Of groups as BEAM names them; nothing where one of the two is empty, since there is nothing to compare.
 * @param groups ids by name
 */
export function updateOf(groups: Readonly<Record<string, readonly string[]>> | undefined): Update | undefined {
  const current = new Set(groups?.updated_info);
  const stale = new Set(groups?.original_info);
  return current.size && stale.size ? { current, stale } : undefined;
}

/**
 * Whether the current statement stands above the stale one: its best place against the other's. A stale one that was not found stands
 * below; a current one that was not found is a failure, whatever came of the other.
 */
export function currentFirst(found: readonly string[], { current, stale }: Update): boolean {
  const first = found.findIndex((id) => current.has(id));
  const other = found.findIndex((id) => stale.has(id));
  return first >= 0 && (other < 0 || first < other);
}
