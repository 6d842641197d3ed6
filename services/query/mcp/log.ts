/** What the faces log through; pino's Logger fits. Fields are ids and codes, never content. */
export interface McpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
