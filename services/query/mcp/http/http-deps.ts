import type { RateLimit } from '#access/rate-limit.js';
import type { Role } from '#contract/caller.js';
import type { Metrics } from '#telemetry/meters.js';
import type { McpServerDeps } from '../create-mcp-server.js';
import type { Readiness } from './readiness.js';

/** What a bearer token stands for. */
export interface Access {
  /** Names the token without being it: a session belongs to the token that opened it. */
  readonly tokenId: string;
  readonly principal: string;
  readonly roles: readonly Role[];
  /** The bank's id. */
  readonly bank: string;
  /** The bank's readable name. */
  readonly bankName: string;
}

export interface HttpDeps
  extends Readiness,
    Pick<McpServerDeps, 'commands' | 'queries' | 'log' | 'version' | 'tracer'> {
  /** Undefined for a token that is not known, revoked or expired. Asked at every request, so a revoked token ends at once. */
  authenticate(bearer: string): Promise<Access | undefined>;
  /** Hosts beside localhost, 127.0.0.1 and [::1] that clients may name: `memory.example.com` (any port) or with `:port`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may call, for example `https://app.example.com`. None by default: agents send no Origin. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** How often a token may call; without it, as often as it likes. */
  readonly rateLimit?: RateLimit | undefined;
  /** Served at /metrics; without them, nothing is there. */
  readonly metrics?: Metrics | undefined;
}

export interface HttpLimits {
  /** Bytes of one request. */
  readonly bodyBytes: number;
  /** Sessions of a transport at once, over all tokens; one token may have half of them. The longest unused one makes room. */
  readonly sessions: number;
  /** Milliseconds after which a session that is not used ends. */
  readonly sessionIdleMs: number;
  /** Milliseconds that requests in flight get when the server stops. */
  readonly stopWithinMs: number;
}

export const defaultLimits: HttpLimits = {
  // A batch of 500 memories of 64 KiB, with room for JSON's escapes.
  bodyBytes: 64 * 1024 * 1024,
  sessions: 1_000,
  sessionIdleMs: 30 * 60_000,
  stopWithinMs: 5_000,
};

export const HTTP_DEPS = Symbol('HttpDeps');
export const HTTP_LIMITS = Symbol('HttpLimits');
