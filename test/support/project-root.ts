import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's folder, also when this runs compiled, from dist/build. */
export const projectRoot = found(import.meta.dirname);

function found(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : found(dirname(folder));
}
