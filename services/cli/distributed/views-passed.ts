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
export async function allPassed(views: Pick<Views, 'generations' | 'checkpoints'>): Promise<Position | undefined> {
  const active = (await views.generations()).filter((generation) => generation.active);
  const checkpoints = await Promise.all(active.map((id) => views.checkpoints(id)));
  return least(checkpoints.flat().map(({ position }) => position));
}

function least(positions: readonly (Position | undefined)[]): Position | undefined {
  return positions.reduce((smallest, each) => ((each ?? '') < (smallest ?? '') ? each : smallest), positions[0]);
}
