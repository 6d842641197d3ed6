import { decodeEnvelope, type EncodedEvent, type Envelope, encodeEvent } from '#events/envelope.js';
import { parseStreamName } from '#events/stream-name.js';
import { appendsOf } from './appends-of.js';
import type { Place } from './place.js';

/** What erasures after a backup end in what was restored from it. */
export interface LaterErasures {
  /** Key ids of all that was written to the memories that they erase. */
  readonly secrets: readonly string[];
  readonly subjects: readonly { readonly bank: string; readonly subject: string }[];
  readonly banks: readonly string[];
  readonly memories: number;
  readonly erasures: number;
}

interface HeldStream {
  readonly ids: Set<string>;
  readonly secrets: Set<string>;
  last: { readonly revision: number; readonly hash: Uint8Array; readonly recordedAt: string } | undefined;
}

const erasing = new Set(['ErasureOrdered', 'SubjectErased', 'MemoryErased', 'BankErased']);

/**
 * Puts the erasures that a later state of the same ledger knows, and the backup did not, behind what was restored. They are events of
 * before with a new place in their streams; that they were carried out is not taken over, so whoever opens the ledger next goes through the
 * rest of it (records of reads, the certificate) again. Killed anywhere, it is finished by calling it again.
 * @param backup the events of the backup · @param later those of the later state
 */
export async function applyLaterErasures(
  place: Place,
  backup: AsyncIterable<EncodedEvent>,
  later: AsyncIterable<EncodedEvent>,
): Promise<LaterErasures> {
  const known = new Set<string>();
  for await (const { type, bytes } of backup) if (erasing.has(type)) known.add(erasureOf(decodeEnvelope(bytes)));
  const streams = new Map<string, HeldStream>();
  const held = async (stream: string) => {
    const found = streams.get(stream) ?? (await readStream(place, stream));
    streams.set(stream, found);
    return found;
  };
  const secrets = new Set<string>();
  const subjects = new Map<string, { bank: string; subject: string }>();
  const banks = new Set<string>();
  const erasures = new Set<string>();
  let memories = 0;
  for await (const event of later) {
    if (!erasing.has(event.type)) continue;
    const envelope = decodeEnvelope(event.bytes);
    const erasureId = erasureOf(envelope);
    if (known.has(erasureId)) continue;
    const stream = await held(event.stream);
    const { category } = parseStreamName(event.stream);
    // A memory, or a bank, that came after the backup: there is nothing of it here.
    if (!stream.last && category !== 'subject') continue;
    if (!stream.ids.has(event.id)) await place.fill(appendsOf([behind(envelope, stream)]));
    erasures.add(erasureId);
    const { bank } = envelope;
    if (event.type === 'MemoryErased') {
      memories += 1;
      for (const secret of stream.secrets) secrets.add(secret);
    } else if (event.type === 'BankErased') banks.add(bank);
    else if (event.type === 'ErasureOrdered')
      for (const subject of (envelope.data as { subjects: string[] }).subjects)
        subjects.set(`${bank}/${subject}`, { bank, subject });
  }
  return {
    secrets: [...secrets],
    subjects: [...subjects.values()],
    banks: [...banks],
    memories,
    erasures: erasures.size,
  };
}

function erasureOf({ data }: Envelope): string {
  return (data as { erasureId: string }).erasureId;
}

async function readStream(place: Place, name: string): Promise<HeldStream> {
  const found: HeldStream = { ids: new Set(), secrets: new Set(), last: undefined };
  for await (const { id, revision, hash, bytes } of place.ledger.readStream(name)) {
    const { box, recordedAt } = decodeEnvelope(bytes);
    found.ids.add(id);
    if (box) found.secrets.add(box.k);
    found.last = { revision, hash, recordedAt };
  }
  return found;
}

/** The same event at the end of the stream, which is noted. Its box stays as it is: where an event stands in its stream is not bound to it. */
function behind(envelope: Envelope, stream: HeldStream): EncodedEvent {
  const { last } = stream;
  const recordedAt = last && last.recordedAt > envelope.recordedAt ? last.recordedAt : envelope.recordedAt;
  const encoded = encodeEvent({
    ...envelope,
    recordedAt,
    revision: (last?.revision ?? -1) + 1,
    previous: last ? Buffer.from(last.hash).toString('base64url') : null,
  });
  stream.ids.add(encoded.id);
  stream.last = { revision: encoded.revision, hash: encoded.hash, recordedAt };
  return encoded;
}
