import { isHindsightError } from '#contract/errors.js';
import { decodeEnvelope } from '#events/envelope.js';
import type { MemoryRated, RatingOutcome } from '#events/memory-rated.js';
import type { RecallServed } from '#events/recall-served.js';
import { readEvent } from '#events/upcast.js';
import type { Ledger, Position, StoredEvent } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';

/** One answer that was given, and how what it served fared: a line to learn from. */
export interface ExportedRecall {
  readonly recall_id: string;
  /** When it was asked (ISO, UTC). */
  readonly at: string;
  /** What was asked; absent where it has expired, or went with somebody whom it was about. */
  readonly query?: string;
  /** JSON text of what else was asked. */
  readonly filters?: string;
  readonly valid_at?: string;
  /** Of the basis in this ledger. */
  readonly position?: string;
  /** As they were ranked; what was erased since is not there. */
  readonly items: readonly {
    readonly memory_id: string;
    readonly version: number;
    readonly score: number;
    /** What was said last of it, about this answer. */
    readonly rating?: RatingOutcome;
  }[];
}

/**
 * The recall log of a bank with its feedback, in the order in which it was recorded. Ratings without a recall_id are about no answer, and not
 * in it.
 */
export async function* exportRecalls(
  ledger: Ledger,
  vault: Vault,
  bank: string,
  signal?: AbortSignal,
): AsyncGenerator<ExportedRecall> {
  const { ratings, erased } = await ratingsOf(ledger, bank);
  for await (const stored of ledger.readAll()) {
    if (signal?.aborted) return;
    if (stored.type !== 'RecallServed' || !stored.stream.startsWith(`hl.${ledger.id}.${bank}.recall-`)) continue;
    const { data, content } = await opened(vault, stored);
    const { recallId, at, validAt, position, items } = data;
    const wentSince = ({ memoryId }: { memoryId: string }) => (erased.get(memoryId) ?? '') > stored.position;
    yield {
      recall_id: recallId,
      at,
      ...(content?.query === undefined ? {} : { query: content.query }),
      ...(content?.filters === undefined ? {} : { filters: content.filters }),
      ...(validAt === undefined ? {} : { valid_at: validAt }),
      ...(position === undefined ? {} : { position }),
      items: items
        .filter((item) => !wentSince(item))
        .map(({ memoryId, version, score }) => {
          const rating = ratings.get(named(recallId, memoryId));
          return { memory_id: memoryId, version, score, ...(rating === undefined ? {} : { rating }) };
        }),
    };
  }
}

/** The last rating of each memory about each answer, and where each memory was erased last: what was said before goes with it. */
async function ratingsOf(ledger: Ledger, bank: string) {
  const prefix = `hl.${ledger.id}.${bank}.memory-`;
  const ratings = new Map<string, RatingOutcome>();
  const erased = new Map<string, Position>();
  for await (const { type, stream, bytes, position } of ledger.readAll()) {
    if (!stream.startsWith(prefix)) continue;
    if (type === 'MemoryErased') erased.set(stream.slice(prefix.length), position);
    if (type !== 'MemoryRated') continue;
    const { data } = readEvent(decodeEnvelope(bytes), undefined) as MemoryRated;
    if (data.recallId !== undefined) ratings.set(named(data.recallId, data.memoryId), data.outcome);
  }
  return { ratings, erased };
}

function named(recallId: string, memoryId: string): string {
  return `${recallId} ${memoryId}`;
}

/** What was served is plain; what was asked has a key of its own, which ends before, and without, any memory that was served. */
async function opened(
  vault: Vault,
  { bytes }: StoredEvent,
): Promise<Pick<RecallServed, 'data'> & { readonly content?: RecallServed['content'] | undefined }> {
  try {
    return (await openEvent(vault, bytes)).event as RecallServed;
  } catch (error) {
    if (!isHindsightError(error, 'key_not_found')) throw error;
    return readEvent(decodeEnvelope(bytes), undefined) as RecallServed;
  }
}
