import type { Position } from '#ledger/ledger.js';
import { isPurging, type PurgedMemory } from '#views/purge.js';
import type { Row } from '#views/table.js';
import type {
  BankNumbers,
  Checkpoint,
  DeadLetter,
  GenerationChange,
  GenerationId,
  GroupRequest,
} from '#views/views.js';
import type { Place, ProjectedEvent, Projection } from '../projections/projection.js';
import { createHand, type Hand } from './rows-in-hand.js';

/** One generation as a projector left it. */
export interface Track {
  readonly projection: Projection;
  readonly id: GenerationId;
  /** Of how many, and which one: it takes the events of that one's banks only. */
  readonly partition: number;
  readonly partitions: number;
  readonly hand: Hand;
  /** Where the store's checkpoint is. */
  persisted: Position | undefined;
  /** How far this process has looked: events that change no answer are passed without a write. */
  passed: Position | undefined;
  systemTime: string;
  /** Events passed since the checkpoint that changed no answer. */
  quiet: number;
  readonly numbers: Map<string, BankNumbers>;
  /** Streams with an event that could not be projected. */
  readonly setAside: Set<string>;
}

export function createTrack(
  projection: Projection,
  id: GenerationId,
  at: { position: Position | undefined; systemTime: string },
  setAside: Iterable<string>,
  place: { partition: number; partitions: number } = { partition: 0, partitions: 1 },
): Track {
  return {
    projection,
    id,
    ...place,
    hand: createHand(),
    persisted: at.position,
    passed: at.position,
    systemTime: at.systemTime,
    quiet: 0,
    numbers: new Map(),
    setAside: new Set(setAside),
  };
}

/** What a track asks the store for. */
export interface TrackReads {
  numbersOf(banks: readonly string[]): Promise<Map<string, BankNumbers>>;
  load(requests: readonly GroupRequest[]): Promise<Row[][]>;
}

/** A projection threw: its event cannot be projected. */
export class ApplyError extends Error {
  override readonly name = 'ApplyError';
  constructor(
    readonly projected: ProjectedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * What a batch means for one generation. The track's rows in hand carry the result; nothing else of it is changed
 * until `settle`, so a batch that could not be committed is thrown away with the hand.
 * @throws ApplyError
 */
export async function foldBatch(
  track: Track,
  batch: {
    events: readonly ProjectedEvent[];
    letters: readonly DeadLetter[];
    to: Checkpoint;
    systemTimeAt: (position: Position) => string;
  },
  reads: TrackReads,
): Promise<GenerationChange> {
  const banks = new Set(batch.events.map(({ envelope }) => envelope.bank));
  const unknown = [...banks].filter((bank) => !track.numbers.has(bank));
  // Not kept before they are committed on: another process may have come further, and its store be lost before this one tries again.
  const found = unknown.length ? await reads.numbersOf(unknown) : undefined;
  const numbers = new Map(
    [...banks].map((bank) => [bank, track.numbers.get(bank) ?? found?.get(bank) ?? { seq: 0, docs: 0 }]),
  );
  const placed: [ProjectedEvent, Place][] = [];
  for (const projected of batch.events) {
    const { envelope, event } = projected;
    const bank = numbers.get(envelope.bank)!;
    const isVersion = event.type === 'MemoryRecorded' || event.type === 'MemoryRevised';
    const place = { seq: bank.seq + 1, doc: bank.docs, systemTime: batch.systemTimeAt(projected.position) };
    numbers.set(envelope.bank, { seq: bank.seq + 1, docs: bank.docs + (isVersion ? 1 : 0) });
    placed.push([projected, place]);
    track.projection.needs(projected, track.hand.ask);
  }
  const missing = track.hand.missing();
  if (missing.length) track.hand.take(missing, await reads.load(missing));
  const purged: PurgedMemory[] = [];
  for (const [projected, place] of placed) {
    const { event, envelope } = projected;
    if (event.type === 'BankErased') track.hand.endBank(envelope.bank);
    if (event.type === 'MemoryErased')
      purged.push({ bank: envelope.bank, memoryId: event.data.memoryId, seq: place.seq, doc: place.doc });
    try {
      track.projection.apply(projected, place, track.hand);
    } catch (error) {
      throw new ApplyError(projected, error);
    }
  }
  const steps = track.projection.purge ?? [];
  const purges = { banks: [...track.hand.ended()], memories: steps.length ? purged : [], steps };
  return {
    id: track.id,
    partition: track.partition,
    from: track.persisted,
    to: batch.to,
    numbers,
    tables: track.hand.changes(),
    setAside: batch.letters,
    ...(isPurging({ purges }) ? { purges } : {}),
  };
}

/** The change is committed. */
export function settle(track: Track, change: GenerationChange): void {
  track.persisted = change.to.position;
  track.passed = change.to.position;
  track.systemTime = change.to.systemTime;
  for (const [bank, numbers] of change.numbers) track.numbers.set(bank, numbers);
  for (const { stream } of change.setAside) track.setAside.add(stream);
  track.quiet = 0;
  track.hand.committed();
}
