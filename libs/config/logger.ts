import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './settings.js';

/**
 * The log of one process, to stderr as JSON lines: stdout belongs to the MCP protocol. Log ids only, never content.
 * Written synchronously, so that the last line before an exit is there.
 * @param traceId of what a line is logged in, where the process traces
 */
export function createLogger(
  level: Config['logLevel'],
  destination?: DestinationStream,
  traceId?: () => string | undefined,
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(traceId ? { mixin: () => traceFields(traceId()) } : {}),
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

function traceFields(traceId: string | undefined): object {
  return traceId === undefined ? {} : { trace_id: traceId };
}
