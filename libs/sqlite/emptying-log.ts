import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

/** Pages in the log that are worth the two fsyncs of moving them. */
const worthIt = 1_000;

/**
 * Moves what other connections have committed from the write-ahead log into the file, without waiting for anybody, so that a writer's own
 * checkpoints find little to do. It is only to spare the writer that: what goes wrong here is left to the writer's own, and no file is made.
 * @returns what to call whenever there is time
 */
export function emptyingLog(path: string): () => void {
  let read: (() => Record<string, number>) | undefined;
  let move: () => unknown = () => undefined;
  let isOver = false;

  function open(): () => Record<string, number> {
    const db = new DatabaseSync(`${pathToFileURL(path).href}?mode=rw`, { timeout: 0 });
    db.exec('PRAGMA synchronous = NORMAL');
    const [look, passive] = ['NOOP', 'PASSIVE'].map((how) => db.prepare(`PRAGMA wal_checkpoint(${how})`));
    move = () => passive!.get();
    return () => look!.get() as Record<string, number>;
  }

  return () => {
    if (isOver) return;
    try {
      read ??= open();
      const { log, checkpointed } = read();
      if (log! - checkpointed! >= worthIt) move();
    } catch {
      isOver = true;
    }
  };
}
