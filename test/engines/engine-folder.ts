import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export interface EngineFolder {
  readonly path: string;
  /** Which process must not outlive this one; none: undefined. */
  occupiedBy(pid: number | undefined): void;
  /** Ends what occupies the folder, unmounts what is mounted there, and removes it. */
  remove(): Promise<void>;
}

/**
 * Reads the engine's process id from each line, and knows by the end of its input that the test process is gone, however
 * it went. A process is stopped before its children are listed, so that it starts no further ones.
 */
const watchdog = `
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -STOP "$pid"
  children=$(ps -A -o pid= -o ppid= | while read -r child parent; do [ "$parent" = "$pid" ] && echo "$child"; done)
  kill -KILL $children "$pid"
fi
umount -l "$0" "$0"/*
for attempt in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0" && exit 0; sleep 0.2; done
`;

/**
 * A temporary folder that goes, with the engine that runs in it, when this process ends: also when it is killed, for
 * a small shell beside it waits for that.
 * @param owner who may write there; the user of this process by default
 */
export function engineFolder(name: string, owner?: SystemUser): EngineFolder {
  const path = mkdtempSync(join(tmpdir(), `hindsight-ledger-${name}-`));
  if (owner) chownSync(path, owner.uid, owner.gid);
  // A group of its own, so that an interrupt at the terminal does not end it before its work.
  const shell = spawn('sh', ['-c', watchdog, path], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(shell, 'exit');
  shell.unref();
  shell.stdin.on('error', () => {});
  // Neither keeps this process from ending; only the types of Node hide that a pipe is a socket.
  (shell.stdin as unknown as { unref(): void }).unref();
  return {
    path,
    occupiedBy(pid) {
      shell.stdin.write(`${pid ?? ''}\n`);
    },
    async remove() {
      shell.ref();
      shell.stdin.end();
      await ended;
    },
  };
}
