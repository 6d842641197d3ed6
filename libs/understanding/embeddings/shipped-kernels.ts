import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const kernelFolder = join('models', 'kernels');

/**
 * The folder of what `models/kernels/build.mjs` makes: beside the program, some folders up.
 * @throws Error when it isn't there
 */
export function shippedKernels(from = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, kernelFolder);
    if (existsSync(found)) return found;
    if (dirname(folder) === folder)
      throw new Error(
        `There is no ${kernelFolder} beside the program (looked upwards from ${from}). Install the package again.`,
      );
  }
}
