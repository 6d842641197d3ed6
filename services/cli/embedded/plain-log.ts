import type { Config } from '#config/settings.js';

/** What of a pino logger the parts of a process use. Fields are ids, counts and paths, never content. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const order = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** For a person at a terminal: the sentence alone, from `level` on; the fields too where somebody asked to debug. */
export function plainLog(level: Config['logLevel'], note: (line: string) => void): Log {
  const lowest = order.indexOf(level);
  const say = (at: (typeof order)[number]) => (fields: object, message: string) => {
    if (order.indexOf(at) < lowest) return;
    note(lowest <= order.indexOf('debug') ? `${message} ${JSON.stringify(fields)}` : message);
  };
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}
