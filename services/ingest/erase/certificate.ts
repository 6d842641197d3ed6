import { createHash } from 'node:crypto';
import { canonicalJson } from '#events/canonical.js';
import type { Order } from './order.js';

/** What was tried after an erasure, to see that it took. */
export interface Check {
  /** Former events that were read again, and opened none. */
  readonly events: number;
  /** Rows of the views that were looked at, and hold nothing of them. */
  readonly rows: number;
}

export interface Certified {
  readonly ledger: string;
  readonly order: Order;
  readonly memories: readonly string[];
  /** Those of the order that were written to since they were shown, sorted: they stay. */
  readonly left?: readonly string[];
  readonly recalls: number;
  /** Of the first and the last event that says of a memory that it is erased. */
  readonly positions: { readonly first?: string | undefined; readonly last?: string | undefined };
  readonly epoch: number;
  readonly check: Check;
  readonly completedAt: string;
}

/**
 * Canonical JSON of what is certified: what was erased, when, by whom and where in the ledger, from which master key epoch on nothing of it
 * opens, and what was tried to see that it does not. It names memories and people by ids and keyed hashes only, so it may be kept.
 */
export function certificateText({
  ledger,
  order,
  memories,
  left = [],
  recalls,
  positions,
  epoch,
  check,
  completedAt,
}: Certified): string {
  const { principal, agent, tool } = order.by;
  return canonicalJson({
    format: 'hindsight-ledger/erasure/1',
    ledger,
    bank: order.bank,
    erasure: order.erasureId,
    ordered: {
      at: order.orderedAt,
      by: { principal, ...(agent === undefined ? {} : { agent }), ...(tool === undefined ? {} : { tool }) },
      position: order.position,
    },
    what: {
      ...(order.ofBank ? { bank: order.bank } : {}),
      memories: memories.length,
      /** Of the memories' ids, sorted, a line each. */
      memories_sha256: createHash('sha256')
        .update([...memories].sort().join('\n'))
        .digest('hex'),
      ...(left.length > 0 ? { left: [...left] } : {}),
      subjects: [...order.subjects],
      reads: recalls,
    },
    positions: {
      ...(positions.first === undefined ? {} : { first: positions.first }),
      ...(positions.last === undefined ? {} : { last: positions.last }),
    },
    epoch,
    check: { events_tried: check.events, events_opened: 0, rows_looked_at: check.rows, rows_left: 0 },
    completed_at: completedAt,
  });
}
