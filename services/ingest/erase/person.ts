import { decodeEnvelope } from '#events/envelope.js';
import { streamName } from '#events/stream-name.js';
import { subjectHash } from '#events/subject-hash.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import type { BankKeys } from '#sealing/vault.js';
import type { ErasingDeps } from './erasing-deps.js';

/** Everything that means one person. */
export interface Person {
  /** The name that was given, then its aliases. */
  readonly names: readonly string[];
  /** Keyed hashes of the names. */
  readonly subjects: readonly string[];
  /** Changes with every alias and every erasure of the person. */
  readonly state: string;
}

/** Whoever a name means, with the aliases of its aliases. An erasure of the person ends them too. */
export async function personNamed(
  { ledger, vault }: Pick<ErasingDeps, 'ledger' | 'vault'>,
  keys: BankKeys,
  name: string,
): Promise<Person> {
  const first = subjectHash(keys.identityKey, name);
  const names = new Map([[first, name.trim()]]);
  const lengths: string[] = [];
  for (const subject of names.keys()) {
    const events = await subjectEvents(ledger, keys.bank, subject);
    lengths.push(`${subject}=${events.length}`);
    for (const { bytes } of sinceErased(events)) {
      const { event } = await openEvent(vault, bytes);
      if (event.type === 'SubjectAliased' && !names.has(event.data.alias))
        names.set(event.data.alias, event.content.alias);
    }
  }
  return { names: [...names.values()], subjects: [...names.keys()], state: lengths.sort().join(' ') };
}

export async function subjectEvents(
  ledger: ErasingDeps['ledger'],
  bank: string,
  subject: string,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  const stream = streamName({ ledger: ledger.id, bank, category: 'subject', id: subject });
  for await (const stored of ledger.readStream(stream)) found.push(stored);
  return found;
}

function sinceErased(events: readonly StoredEvent[]): readonly StoredEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === 'SubjectErased') + 1);
}

/** Whether this alias stands in a subject's stream. */
export function hasAlias(events: readonly StoredEvent[], alias: string): boolean {
  return sinceErased(events).some(
    ({ type, bytes }) => type === 'SubjectAliased' && decodeEnvelope(bytes).data.alias === alias,
  );
}
