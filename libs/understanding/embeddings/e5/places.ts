import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shippedKernels } from '../shipped-kernels.js';

const workerFile = 'e5-worker.js';

/** What is shipped lies beside the program: from the sources, from what tsc made of them and from a bundle, some folders up. */
export interface ShippedPlaces {
  /** Of the model. */
  readonly folder: string;
  readonly kernels: string;
  /** Of the compiled thread; none where the sources run. */
  readonly worker?: string;
}

/** @throws Error when there is no model beside the program */
export function shippedPlaces(from = import.meta.dirname): ShippedPlaces {
  const kernels = shippedKernels(from);
  // Compiled, it is beside this file; bundled, beside main.js, while this may be a chunk one folder down.
  const worker = [from, dirname(from)].map((folder) => join(folder, workerFile)).find((file) => existsSync(file));
  return { folder: join(dirname(kernels), 'e5-small'), kernels, ...(worker ? { worker } : {}) };
}
