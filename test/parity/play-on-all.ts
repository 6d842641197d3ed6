import { expect } from 'vitest';
import type { ParityCase } from './parity-case.js';
import type { Stage } from './scene.js';

/** Plays a case on each profile at the same time, and expects them to have answered alike. */
export async function playOnAll(stages: readonly Stage[], play: ParityCase): Promise<void> {
  // All are played to the end, so that the next case finds the same everywhere.
  const ends = await Promise.allSettled(stages.map((stage) => played(stage, play)));
  const [embedded, distributed] = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  expect(distributed).toEqual(embedded);
}

async function played(stage: Stage, play: ParityCase): Promise<readonly unknown[]> {
  const scene = stage.scene();
  try {
    await play(scene);
  } catch (error) {
    (error as Error).message = `${scene.profile.name}: ${(error as Error).message}`;
    throw error;
  }
  return scene.said;
}
