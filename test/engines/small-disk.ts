import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { engineFolder, type SystemUser } from './engine-folder.js';

/** Only root may mount, as in CI: `describe.runIf(canMount)`. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export interface SmallDisk {
  /** Empty: for a server's data folder, or for a tablespace. */
  readonly folder: string;
  /** Leaves no room at all, by a file beside the folder; what a server gives back afterwards is room again. */
  fill(): void;
  /** Takes the file away. */
  makeRoom(): void;
  /** Only when nothing uses it any more. */
  remove(): Promise<void>;
}

/**
 * A disk of its own in memory (tmpfs), which can be filled without harm to others. It goes with the test process.
 * @param owner whom the folder belongs to: `serverUser()` for PostgreSQL, which wants its own
 */
export function smallDisk(megabytes: number, owner?: SystemUser): SmallDisk {
  const place = engineFolder('disk', owner);
  const disk = join(place.path, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', disk]);
  const folder = join(disk, 'folder');
  mkdirSync(folder, { mode: 0o700 });
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const ballast = join(disk, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      // In smaller and smaller pieces, to the last page.
      for (let size = 1 << 20; size >= 1 << 9; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size >>= 1;
        }
      }
      closeSync(file);
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remove: () => place.remove(),
  };
}
