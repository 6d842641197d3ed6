import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './settings.js';

/**
 * The log of one process, to stderr as JSON lines: stdout belongs to the MCP protocol. Log ids only, never content.
 * Written synchronously, so that the last line before an exit is there.
 */
export function createLogger(level: Config['logLevel'], destination?: DestinationStream): Logger {
  return pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
