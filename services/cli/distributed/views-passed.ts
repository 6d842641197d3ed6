import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '#ledger/ledger.js';
import { partitionOf } from '#views/partition.js';
import type { Views } from '#views/views.js';

type Looked = Pick<Views, 'generations' | 'checkpoints' | 'partitions'>;

/**
 * How far everything that answers come from has been projected, for a bank's partition: the smallest checkpoint of the generations in
 * use. Undefined when one of them has not begun.
 */
export async function viewsPassed(views: Looked, bank: string): Promise<Position | undefined> {
  const partition = partitionOf(bank, views.partitions);
  const active = (await views.generations()).filter((generation) => generation.active);
  return least(await Promise.all(active.map(async (id) => (await views.checkpoints(id))[partition]?.position)));
}

/** The same for all partitions: every bank can be read as far as that. */
async function allPassed(views: Pick<Views, 'generations' | 'checkpoints'>): Promise<Position | undefined> {
  const active = (await views.generations()).filter((generation) => generation.active);
  const checkpoints = await Promise.all(active.map((id) => views.checkpoints(id)));
  return least(checkpoints.flat().map(({ position }) => position));
}

const lookEvery = 20;

/** Waits until every bank can be read as far as the ledger goes now. False at the end of patience (milliseconds). */
export async function untilAllPassed(
  views: Pick<Views, 'generations' | 'checkpoints'>,
  head: () => Promise<Position | undefined>,
  patience: number,
): Promise<boolean> {
  const target = await head();
  const until = performance.now() + patience;
  while (target !== undefined && ((await allPassed(views)) ?? '') < target) {
    if (performance.now() >= until) return false;
    await sleep(lookEvery);
  }
  return true;
}

function least(positions: readonly (Position | undefined)[]): Position | undefined {
  return positions.reduce((smallest, each) => ((each ?? '') < (smallest ?? '') ? each : smallest), positions[0]);
}
