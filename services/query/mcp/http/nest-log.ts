import type { LoggerService } from '@nestjs/common';
import type { McpLog } from '../log.js';

/** Nest's own lines, through our log; its progress at start is for debugging. */
export function nestLog(log: McpLog): LoggerService {
  const context = (rest: unknown[]) => ({ nest: rest.findLast((part) => typeof part === 'string') });
  return {
    log: (message: unknown, ...rest: unknown[]) => log.debug(context(rest), String(message)),
    debug: (message: unknown, ...rest: unknown[]) => log.debug(context(rest), String(message)),
    verbose: (message: unknown, ...rest: unknown[]) => log.debug(context(rest), String(message)),
    warn: (message: unknown, ...rest: unknown[]) => log.warn(context(rest), String(message)),
    error: (message: unknown, ...rest: unknown[]) => log.error(context(rest), String(message)),
  };
}
