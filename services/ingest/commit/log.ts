import type { Logger } from 'pino';

/** Where ids of what went wrong are told; never content. */
export type Log = Pick<Logger, 'warn'>;
