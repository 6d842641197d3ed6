import { isHindsightError } from '#contract/errors.js';
import { decodeEnvelope } from '#events/envelope.js';
import { memoryStream, parseStreamName } from '#events/stream-name.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { openBox } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';

export interface ContentFault {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly eventId: string;
  readonly what: string;
}

interface Unopened extends ContentFault {
  readonly bank: string;
  /** Whom it is about: bank and keyed hash. */
  readonly about: readonly string[];
}

export interface ContentsFound {
  readonly opened: number;
  /** Whose keys were destroyed, as the ledger says or as is bound to happen: records of recalls go with what they served, and by themselves. */
  readonly gone: number;
  readonly faults: readonly ContentFault[];
}

/** Opens the content of every event while all go by, and throws it away: whether keys and boxes belong together is seen in no hash. */
export interface ContentsCheck {
  take(event: StoredEvent): Promise<void>;
  found(): ContentsFound;
}

export function contentsCheck(vault: Vault): ContentsCheck {
  const erasedStreams = new Set<string>();
  const erasedBanks = new Set<string>();
  /** Bank and keyed hash. */
  const erasedPeople = new Set<string>();
  const keyless: Unopened[] = [];
  /** A person who was erased and is written about again has another secret: nothing tells that from a box that was changed. */
  const closed: Unopened[] = [];
  const faults: ContentFault[] = [];
  let opened = 0;
  let gone = 0;
  return {
    async take({ position, stream, revision, id, type, bytes }) {
      if (type === 'MemoryErased') erasedStreams.add(stream);
      const { ledger, bank, schema, box, subjects } = decodeEnvelope(bytes);
      if (type === 'BankErased') erasedBanks.add(bank);
      if (type === 'SubjectErased') erasedPeople.add(`${bank}/${parseStreamName(stream).id}`);
      if (!box) return;
      const about = (subjects ?? []).map((each) => `${bank}/${each}`);
      const fault = (what: string) => ({ position, stream, revision, eventId: id, what });
      try {
        await openBox(vault, { ledger, bank, stream, eventId: id, type, schema }, box, subjects);
        opened += 1;
      } catch (error) {
        if (isHindsightError(error, 'ledger_corrupt'))
          closed.push({ ...fault('its content does not open with the key that it names'), bank, about });
        else if (!isHindsightError(error, 'key_not_found')) throw error;
        else if ('bucket' in error.details)
          faults.push(fault(`its key is damaged or stands elsewhere: bucket ${String(error.details.bucket)}`));
        else if (isOfMemory(stream))
          keyless.push({
            ...fault('its key is not in the key store, and nothing says that it was erased'),
            bank,
            about,
          });
        else gone += 1;
      }
    },
    found() {
      const isOfErased = ({ about }: Unopened) => about.some((each) => erasedPeople.has(each));
      const isErased = (each: Unopened) =>
        erasedStreams.has(memoryOf(each.stream)) || erasedBanks.has(each.bank) || isOfErased(each);
      const wrong = [...keyless.filter((each) => !isErased(each)), ...closed.filter((each) => !isOfErased(each))];
      const all = [...faults, ...wrong.map(({ bank: _, about: __, ...each }) => each)];
      all.sort((one, other) => (one.position < other.position ? -1 : 1));
      return { opened, gone: gone + keyless.length + closed.length - wrong.length, faults: all };
    },
  };
}

/** Of a memory, or of what was found out about one: that is sealed with the memory's secret. */
function isOfMemory(stream: string): boolean {
  const { category } = parseStreamName(stream);
  return category === 'memory' || category === 'understanding';
}

/** The stream in which the memory was erased, if it was. */
function memoryOf(stream: string): string {
  const { category, ledger, bank, id } = parseStreamName(stream);
  return category === 'understanding' ? memoryStream(ledger, bank, id) : stream;
}
