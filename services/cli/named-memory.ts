import type { Caller } from '#contract/caller.js';
import type { QueryPort } from '#contract/query-port.js';

/** One memory, as a verb's arguments name it: its id, or the key of its slot. */
export interface Named {
  readonly id?: string;
  readonly key?: string;
}

/** How many of the two are given: a verb wants one of them. */
export function timesNamed({ id, key }: Named): number {
  return Number(id !== undefined) + Number(key !== undefined);
}

/** The id of the memory, which may be forgotten. Rejects with memory_not_found for a key that no memory has. */
export async function idOf({ id, key }: Named, queries: QueryPort, caller: Caller): Promise<string> {
  return id?.toLowerCase() ?? (await queries.history({ key }, caller)).memory_id;
}
