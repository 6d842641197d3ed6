import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const modelFolder = join('models', 'e5-small');
const kernelFolder = join('models', 'kernels');
const workerFile = 'e5-worker.js';

/** What is shipped lies beside the program: from the sources, from what tsc made of them and from a bundle, some folders up. */
export interface ShippedPlaces {
  readonly folder: string;
  readonly kernels: string;
  /** Of the compiled thread; none where the sources run. */
  readonly worker?: string;
}

/** @throws Error when there is no model beside the program */
export function shippedPlaces(from = import.meta.dirname): ShippedPlaces {
  const root = above(from, (folder) => existsSync(join(folder, kernelFolder)));
  if (root === undefined)
    throw new Error(
      `There is no ${modelFolder} beside the program (looked upwards from ${from}). Install the package again.`,
    );
  // Compiled, it is beside this file; bundled, beside main.js, while this may be a chunk one folder down.
  const worker = [from, dirname(from)].map((folder) => join(folder, workerFile)).find((file) => existsSync(file));
  return { folder: join(root, modelFolder), kernels: join(root, kernelFolder), ...(worker ? { worker } : {}) };
}

function above(folder: string, isIt: (folder: string) => boolean): string | undefined {
  if (isIt(folder)) return folder;
  const up = dirname(folder);
  return up === folder ? undefined : above(up, isIt);
}
