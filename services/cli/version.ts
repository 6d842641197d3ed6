import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const version = ownVersion();

/** Of the nearest package.json of ours: the bundle's chunks and the sources lie at different depths. */
function ownVersion(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Record<string, string>;
      if (name === 'hindsight-ledger') return version!;
    } catch {
      // No package.json here.
    }
    if (dirname(at) === at) return '0.0.0';
  }
}
