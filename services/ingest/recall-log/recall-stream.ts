import type { Caller } from '#contract/caller.js';
import type { AuditedRead, ServedRecall } from '#contract/command-port.js';
import type { AuditRead } from '#events/audit-read.js';
import type { EncodedEvent } from '#events/envelope.js';
import type { RecallServed } from '#events/recall-served.js';
import { type Ledger, maxAppendBytes } from '#ledger/ledger.js';
import { type SealingTools, sealChange } from '../commit/seal-change.js';

const longestQuery = 16 * 1024; // characters; a longer question is recorded cut

export interface StoringDeps {
  readonly ledger: Ledger;
  readonly sealing: SealingTools;
}

/** A recall, or a look into the audit, that is to be put on record. */
export interface Waiting {
  /** The same at every try, so that what a lost answer had stored is recognised. */
  readonly eventId: string;
  readonly content: { readonly recall: ServedRecall } | { readonly audit: AuditedRead };
  readonly caller: Caller;
  readonly settle?: { resolve(): void; reject(error: unknown): void };
}

/** The recall stream of this process in one bank: nobody else writes to it. */
export interface Lane {
  readonly bank: string;
  readonly stream: string;
  waiting: Waiting[];
  revision: number;
  previous: string | null;
  recordedAt: number;
  /** An append failed, and what the stream holds since could not be read. */
  unsure: boolean;
  storing: Promise<void> | undefined;
}

/** Stores a group in as many appends as it needs; whatever is stored leaves it. @throws what the ledger throws */
export async function storeGroup(deps: StoringDeps, lane: Lane, group: Waiting[]): Promise<void> {
  if (lane.unsure) await catchUp(deps.ledger, lane, group);
  while (group.length) {
    const events = await sealedPart(deps, lane, group);
    const first = events[0]!;
    try {
      await deps.ledger.append(lane.stream, events, first.revision === 0 ? 'no_stream' : first.revision - 1);
      standAt(lane, events.at(-1)!);
      for (const { settle } of group.splice(0, events.length)) settle?.resolve();
    } catch (error) {
      lane.unsure = true;
      await catchUp(deps.ledger, lane, group).catch(() => undefined);
      if (lane.unsure || group[0]?.eventId === first.id) throw error;
    }
  }
}

/** As many of a group's recalls as one append takes, from the first on; at least one. */
async function sealedPart(deps: StoringDeps, lane: Lane, group: readonly Waiting[]): Promise<EncodedEvent[]> {
  let { revision, previous } = lane;
  const events: EncodedEvent[] = [];
  let bytes = 0;
  for (const waiting of group) {
    revision += 1;
    lane.recordedAt = Math.max(lane.recordedAt, deps.sealing.sources.now());
    const encoded = await sealRecord(deps, lane, waiting, { revision, previous, recordedAt: lane.recordedAt });
    previous = Buffer.from(encoded.hash).toString('base64url');
    bytes += encoded.bytes.length + 64;
    if (bytes > maxAppendBytes && events.length) break;
    events.push(encoded);
  }
  return events;
}

/** After a lost answer the stream is further on than this process knows: what it holds of a group leaves the group. */
async function catchUp(ledger: Ledger, lane: Lane, group: Waiting[]): Promise<void> {
  const there = new Set<string>();
  for await (const stored of ledger.readStream(lane.stream, { from: lane.revision + 1 })) {
    there.add(stored.id);
    standAt(lane, stored);
  }
  lane.unsure = false;
  const all = group.splice(0);
  for (const waiting of all)
    if (there.has(waiting.eventId)) waiting.settle?.resolve();
    else group.push(waiting);
}

function standAt(lane: Lane, { revision, hash }: Pick<EncodedEvent, 'revision' | 'hash'>): void {
  lane.revision = revision;
  lane.previous = Buffer.from(hash).toString('base64url');
}

/** With a secret of its own: the record goes with any subject whose memory it served, and by itself in time. */
async function sealRecord(
  deps: StoringDeps,
  lane: Lane,
  { eventId, content, caller }: Waiting,
  at: { readonly revision: number; readonly previous: string | null; readonly recordedAt: number },
): Promise<EncodedEvent> {
  const event = 'recall' in content ? recallServed(content.recall) : auditRead(content.audit);
  const { sessionId, subjects } = 'recall' in content ? content.recall : content.audit;
  const place = {
    ledger: deps.ledger.id,
    bank: lane.bank,
    stream: lane.stream,
    revision: at.revision,
    previous: at.previous,
    recordedAt: new Date(at.recordedAt).toISOString(),
  };
  const origin = { id: eventId, session: sessionId?.toWellFormed(), subjectHashes: subjects };
  return (await sealChange(deps.sealing, event, place, caller, origin, await deps.sealing.vault.freshSecret())).encoded;
}

function recallServed(recall: ServedRecall): RecallServed {
  return {
    type: 'RecallServed',
    data: {
      recallId: recall.recallId,
      position: recall.position,
      at: recall.at,
      validAt: recall.validAt,
      items: recall.items.map(({ memoryId, version, score }) => ({ memoryId, version, score })),
      tookMs: recall.tookMs,
    },
    content: { query: recall.query.slice(0, longestQuery).toWellFormed(), filters: recall.filters?.toWellFormed() },
  };
}

function auditRead({ ask, rows, about, parameters }: AuditedRead): AuditRead {
  return {
    type: 'AuditRead',
    data: { ask, rows, about: about?.toWellFormed() },
    content: { parameters: parameters.toWellFormed() },
  };
}
