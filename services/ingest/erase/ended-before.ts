import { decodeEnvelope } from '#events/envelope.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { secretOfDoomed } from './doomed-records.js';
import type { ErasedMemory } from './erase-memory.js';
import type { ErasingDeps } from './erasing-deps.js';
import { type Order, ordersOf } from './order.js';

/** Whether another erasure, that was over when this one was ordered, took the key of a record of a read. */
export type EndedBefore = (stored: StoredEvent) => Promise<boolean>;

export function endedBefore(deps: Pick<ErasingDeps, 'ledger' | 'vault'>, order: Order): EndedBefore {
  let earlier: Promise<Order[]> | undefined;
  return async (stored) => {
    earlier ??= completedBefore(deps, order);
    const { recordedAt } = decodeEnvelope(stored.bytes);
    for (const each of await earlier) {
      if (each.completed!.completedAt < recordedAt) continue;
      const memories = new Set(each.memories);
      for (const stays of each.completed!.left ?? []) memories.delete(stays);
      if ((await secretOfDoomed(deps, stored, { memories, order: each })) !== undefined) return true;
    }
    return false;
  };
}

async function completedBefore(deps: Pick<ErasingDeps, 'ledger' | 'vault'>, order: Order): Promise<Order[]> {
  const all = [...(await ordersOf(deps, order.bank)).values()];
  return all.filter(({ completed }) => completed !== undefined && completed.completedAt <= order.orderedAt);
}

/**
 * Whether an order's keys are gone already: a try that was killed came that far, or another process is at it. What has no key by then counts
 * as taken by this order.
 */
export async function isDestroyed(
  { vault }: Pick<ErasingDeps, 'vault'>,
  { subjects, secrets }: Order,
  memories: Iterable<ErasedMemory>,
): Promise<boolean> {
  // Those of an order about a person go in the same step as all the rest.
  if (subjects.length > 0) return !(await anyThere(vault, secrets));
  for (const { lastSecret } of memories) if (lastSecret !== undefined && !(await vault.secret(lastSecret))) return true;
  return false;
}

async function anyThere(vault: ErasingDeps['vault'], secrets: readonly string[]): Promise<boolean> {
  for (const each of secrets) if (await vault.secret(each)) return true;
  return false;
}
