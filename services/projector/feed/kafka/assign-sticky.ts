/** What a member of a group says of itself when it joins. */
export interface Claim {
  readonly member: string;
  /** Partitions that it has had until now, with since when (ms). */
  readonly held: ReadonlyMap<number, number>;
}

/**
 * Who gets which partition: as evenly as can be, and else whoever has one keeps it. Of two who claim the same one, the later to
 * have got it is right: the other was away.
 */
export function assignSticky(claims: readonly Claim[], partitions: readonly number[]): Map<string, number[]> {
  const members = [...claims].sort((one, other) => (one.member < other.member ? -1 : 1));
  const assigned = new Map<string, number[]>(members.map(({ member }) => [member, []]));
  if (members.length === 0) return assigned;
  const least = Math.floor(partitions.length / members.length);
  // So many members have one more than the least.
  let more = partitions.length - least * members.length;
  const free: number[] = [];
  for (const partition of [...partitions].sort((one, other) => one - other)) {
    const owner = lastHolder(members, partition);
    const had = owner === undefined ? undefined : assigned.get(owner)!;
    if (had && had.length < least) had.push(partition);
    else if (had && had.length === least && more > 0) {
      had.push(partition);
      more -= 1;
    } else free.push(partition);
  }
  for (const partition of free) {
    const fewest = Math.min(...[...assigned.values()].map((each) => each.length));
    [...assigned.values()].find((each) => each.length === fewest)!.push(partition);
  }
  return assigned;
}

function lastHolder(members: readonly Claim[], partition: number): string | undefined {
  let owner: string | undefined;
  let latest = -1;
  for (const { member, held } of members) {
    const since = held.get(partition);
    if (since === undefined || since <= latest) continue;
    owner = member;
    latest = since;
  }
  return owner;
}
