import type { ServiceError } from '@grpc/grpc-js';
import { Metadata, status } from '@grpc/grpc-js';
import type { EventLog } from './event-log.js';
import type { Faults } from './faults.js';

/** One node of the test server as its services see it. */
export interface Node {
  readonly log: EventLog;
  readonly faults: Faults;
  /** Where the leader listens, when this node is not it. */
  leaderElsewhere(): { readonly host: string; readonly port: number } | undefined;
  readonly user?: { readonly name: string; readonly password: string };
  /** Told of each event that was sent to a reader or subscriber. */
  onSent(): void;
  /** Cuts the connection of a call. */
  cut(call: { getPeer(): string }): void;
}

interface Call {
  readonly metadata: Metadata;
}

export function refusal(
  code: status,
  details: string,
  trailers: Record<string, string> = {},
): Partial<ServiceError> & { code: status; details: string; metadata: Metadata } {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
}

/** Why a call is not served, as the real server says it; undefined when it is. */
export function refusalOf(node: Node, call: Call): ReturnType<typeof refusal> | undefined {
  const { user } = node;
  if (user) {
    const [given] = call.metadata.get('authorization');
    if (given === undefined) return refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
    const accepted = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
    if (String(given) !== accepted) return refusal(status.UNAUTHENTICATED, '');
  }
  const leader = node.leaderElsewhere();
  if (leader && call.metadata.get('requires-leader').includes('true')) {
    return refusal(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': leader.host,
      'leader-endpoint-port': String(leader.port),
    });
  }
  return undefined;
}

export function noLeaderInfo(): ReturnType<typeof refusal> {
  return refusal(status.UNKNOWN, 'No leader info available in response');
}

export function pause(milliseconds: number): Promise<void> | undefined {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;
}
