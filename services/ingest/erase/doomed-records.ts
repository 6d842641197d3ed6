import { decodeEnvelope } from '#events/envelope.js';
import { readEvent } from '#events/upcast.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import { isAbout } from './erase-memory.js';
import type { ErasingDeps } from './erasing-deps.js';
import { isGone } from './is-gone.js';
import type { Order } from './order.js';

/** Which records of reads go with an erasure: those that served one of these memories, are about one of these people, or name one. */
export interface RecordsGo {
  readonly memories: ReadonlySet<string>;
  readonly order: Order;
}

/**
 * The secret of a record of a read (a recall, a look into the audit) when the record has to go; undefined when it stays, or is no such
 * record. What a question says is only looked at where a person goes.
 */
export async function secretOfDoomed(
  deps: Pick<ErasingDeps, 'vault'>,
  stored: StoredEvent,
  { memories, order }: RecordsGo,
): Promise<string | undefined> {
  if (stored.type !== 'RecallServed' && stored.type !== 'AuditRead') return undefined;
  const envelope = decodeEnvelope(stored.bytes);
  if (envelope.bank !== order.bank || !envelope.box) return undefined;
  const secret = envelope.box.k;
  if (isAbout(envelope, order)) return secret;
  const event = readEvent(envelope, undefined);
  if (event.type === 'RecallServed' && event.data.items.some(({ memoryId }) => memories.has(memoryId))) return secret;
  if (event.type === 'AuditRead' && event.data.about !== undefined && memories.has(event.data.about)) return secret;
  if (!order.names?.length) return undefined;
  return namesOne(await textOf(deps, stored), order.names) ? secret : undefined;
}

/** What was asked; undefined when nothing opens it. */
async function textOf({ vault }: Pick<ErasingDeps, 'vault'>, { bytes }: StoredEvent): Promise<string | undefined> {
  try {
    const { event } = await openEvent(vault, bytes);
    if (event.type === 'RecallServed') return `${event.content.query}\n${event.content.filters ?? ''}`;
    return event.type === 'AuditRead' ? event.content.parameters : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Written in any case or form, as names of people are told apart. */
export function namesOne(text: string | undefined, names: readonly string[]): boolean {
  if (text === undefined) return false;
  const plain = folded(text);
  return names.some((name) => plain.includes(folded(name)));
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
