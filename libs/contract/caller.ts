/** What a connection may do. */
export const roles = ['reader', 'writer', 'reviewer', 'auditor', 'eraser', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who asks, as the connection itself tells: never read from a body. */
export interface Caller {
  /** The bank's id, not its readable name. */
  readonly bank: string;
  readonly principal: string;
  readonly roles: readonly Role[];
  /** The client's claimed name. */
  readonly agent?: string;
  /** The tool or verb that was called. */
  readonly tool?: string;
  /**
   * Of a call that may be made again since its answer may be lost: the same UUID at every try. What has no idempotency key of its own is
   * recognised by it, as if it were that key.
   */
  readonly callId?: string;
  /** W3C trace context of the call, where one is traced. */
  readonly traceparent?: string;
}
