import type { Log } from '../embedded/plain-log.js';

/**
 * Tells faults that nobody caught by their kind and place, not by their message, which may quote content. What a library leaves unhandled
 * ends no service; after an exception nobody knows what is half done, so the process ends, and whoever watches it starts it again.
 */
export function logFaults(log: Log): void {
  process.on('unhandledRejection', (reason) => log.error(fault(reason), 'a rejection that nobody handled'));
  process.on('uncaughtException', (error) => {
    log.error(fault(error), 'an exception that nobody caught');
    process.exit(1);
  });
}

function fault(error: unknown): object {
  const at = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return { error: error instanceof Error ? error.name : typeof error, at: at.slice(0, 8).map((line) => line.trim()) };
}
