import { type AnyEvent, catalogue } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { Position, StoredEvent } from '#ledger/ledger.js';
import { mayChangeAnswers } from '../fold/may-change-answers.js';
import type { PreparedSlice, SeenEvent } from '../fold/project-batch.js';
import type { FoundByModel, ProjectedEvent } from '../projections/projection.js';

/**
 * A prepared slice as it goes from thread to thread. Envelopes go as the text that is stored: taking objects apart and putting them together again on
 * the other side costs more than reading that text there. What a person wrote stays behind: projections need no more than its hashes.
 */
export interface PackedSlice {
  readonly to: Position;
  readonly positions: readonly Position[];
  /** By event; undefined where no projection looks at it. */
  readonly texts: readonly (string | undefined)[];
  readonly hashes: readonly string[];
  readonly drawn: readonly (PackedDrawn | undefined)[];
  /** By index, of events that no projection looks at. */
  readonly others: ReadonlyMap<number, Other>;
  /** By index, where an event was brought up to today's schema: it is not in the text. */
  readonly upcast: ReadonlyMap<number, AnyEvent['data']>;
}

interface Other extends Omit<SeenEvent, 'position'> {
  readonly time: string | undefined;
}

/** In the order of `ProjectedEvent`: without names it is a third of the cost. Hashes of terms and of names one behind the other. */
type PackedDrawn = readonly [
  keyHash: string | undefined,
  tagHashes: readonly string[],
  terms: string,
  frequencies: readonly number[],
  length: number,
  speaker: string | undefined,
  entities: string,
  flags: number,
  keyLength: number,
  found: FoundByModel | undefined,
];

/** Digits of a term's hash, and of a name's (`termHash`). */
const hashDigits = 16;

/**
 * @param timeOf of an event that was not prepared: when it was recorded, if that counts
 * @returns undefined where an event says otherwise than the column that it was found by: whoever projects it has to look for himself
 */
export function packSlice(
  { stored, to }: { readonly stored: readonly StoredEvent[]; readonly to: Position },
  prepared: ReadonlyMap<Position, ProjectedEvent>,
  timeOf: (event: StoredEvent) => string | undefined,
): PackedSlice | undefined {
  const positions: Position[] = [];
  const texts: (string | undefined)[] = [];
  const hashes: string[] = [];
  const drawn: (PackedDrawn | undefined)[] = [];
  const others = new Map<number, Other>();
  const upcast = new Map<number, AnyEvent['data']>();
  for (const event of stored) {
    const { position, stream, id, type, bytes } = event;
    const projected = prepared.get(position);
    const index = positions.push(position) - 1;
    if (!projected) {
      others.set(index, { stream, id, type, time: timeOf(event) });
      texts.push(undefined);
      hashes.push('');
      drawn.push(undefined);
      continue;
    }
    const { envelope } = projected;
    if (envelope.stream !== stream || envelope.id !== id || envelope.type !== type) return undefined;
    texts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    hashes.push(projected.hash);
    drawn.push(packDrawn(projected));
    // Schemas check and change nothing.
    if (envelope.schema !== catalogue[projected.event.type].schema) upcast.set(index, projected.event.data);
  }
  return { to, positions, texts, hashes, drawn, others, upcast };
}

function packDrawn(projected: ProjectedEvent): PackedDrawn | undefined {
  if (projected.event.content === undefined) return undefined;
  const { keyHash, tagHashes, terms, frequencies, length, speaker, entities, flags, keyLength, found } = projected;
  const [allTerms, allEntities] = [terms.join(''), entities.join('')];
  return [keyHash, tagHashes, allTerms, frequencies, length, speaker, allEntities, flags, keyLength, found];
}

export function unpackSlice({ to, positions, texts, hashes, drawn, others, upcast }: PackedSlice): PreparedSlice {
  const stored: SeenEvent[] = [];
  const times: (string | undefined)[] = [];
  const prepared = new Map<Position, ProjectedEvent>();
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    const text = texts[index];
    if (text === undefined) {
      const { time, ...seen } = others.get(index)!;
      stored.push({ position, ...seen });
      times.push(time);
      continue;
    }
    const envelope = JSON.parse(text) as Envelope;
    const { stream, id, type } = envelope;
    stored.push({ position, stream, id, type });
    times.push(mayChangeAnswers(envelope) ? envelope.recordedAt : undefined);
    const event = { type, data: upcast.get(index) ?? envelope.data, content: undefined } as unknown as AnyEvent;
    prepared.set(position, unpacked(position, hashes[index]!, envelope, event, drawn[index] ?? nothing));
  }
  return { stored, to, prepared, times };
}

const nothing: PackedDrawn = [undefined, [], '', [], 0, undefined, '', 0, 0, undefined];

function unpacked(
  position: Position,
  hash: string,
  envelope: Envelope,
  event: AnyEvent,
  [keyHash, tagHashes, terms, frequencies, length, speaker, entities, flags, keyLength, found]: PackedDrawn,
): ProjectedEvent {
  return {
    position,
    hash,
    envelope,
    event,
    keyHash,
    tagHashes,
    terms: cut(terms),
    frequencies,
    length,
    speaker,
    entities: cut(entities),
    flags,
    keyLength,
    found,
  };
}

function cut(hashes: string): string[] {
  const each: string[] = [];
  for (let at = 0; at < hashes.length; at += hashDigits) each.push(hashes.slice(at, at + hashDigits));
  return each;
}
