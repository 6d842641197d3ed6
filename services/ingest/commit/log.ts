/** Where ids of what went wrong are told; never content. A pino logger is one. */
export interface Log {
  warn(fields: object, message: string): void;
}
