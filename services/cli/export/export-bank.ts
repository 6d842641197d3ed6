import { decodeEnvelope } from '#events/envelope.js';
import type { Ledger, Position } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import { openEvent } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import { type ExportedForget, type ExportedVersion, exportedVersion } from './exported-version.js';

export interface ExportOptions {
  /** Only the latest version of what is served. */
  readonly current?: boolean;
  readonly now: number;
  readonly signal?: AbortSignal;
}

interface LastEvents {
  /** Of the memory's last version. */
  readonly version: Position;
  /** Of its last retraction, where it still is retracted. */
  readonly forgotten?: Position;
  /** It is archived, or held back for review. */
  readonly aside?: boolean;
  /** Of its last erasure: what comes before cannot be told any more. */
  readonly erased?: Position;
}

/**
 * What a bank holds, as the lines that `import --format jsonl` reads: every version in the order in which it was written, and
 * the retractions that stand; nothing of what was erased. Who wrote stays behind; when it was recorded comes along as what this ledger says: the
 * other one has its own clock.
 */
export async function* exportBank(
  ledger: Ledger,
  vault: Vault,
  bank: string,
  { current, now, signal }: ExportOptions,
): AsyncGenerator<ExportedVersion | ExportedForget> {
  const prefix = `hl.${ledger.id}.${bank}.memory-`;
  const lasts = await lastEvents(ledger, prefix);
  const ids = new Map<string, string>();
  for await (const stored of ledger.readAll()) {
    if (signal?.aborted) return;
    const last = lasts.get(stored.stream);
    if (!last || (last.erased !== undefined && stored.position <= last.erased)) continue;
    const isVersion = stored.type === 'MemoryRecorded' || stored.type === 'MemoryRevised';
    if (current && (stored.position !== last.version || last.forgotten || last.aside)) continue;
    if (!isVersion && stored.position !== last.forgotten) continue;
    const opened = await openEvent(vault, stored.bytes).catch(async (error: unknown) => {
      const { stream, revision, bytes } = stored;
      if (!(await erasedLater(ledger)({ stream, revision, subjects: decodeEnvelope(bytes).subjects }, error)))
        throw error;
    });
    if (!opened) continue;
    const { event, envelope } = opened;
    if (event.type === 'MemoryRecorded' || event.type === 'MemoryRevised') {
      const line = exportedVersion(event, envelope, now);
      ids.set(stored.stream, line.id);
      yield line;
    } else if (event.type === 'MemoryForgotten') {
      const id = ids.get(stored.stream);
      if (id !== undefined) yield { forget: { id, reason: event.content.reason } };
    }
  }
}

async function lastEvents(ledger: Ledger, prefix: string): Promise<Map<string, LastEvents>> {
  const lasts = new Map<string, LastEvents>();
  for await (const { stream, type, position } of ledger.readAll()) {
    if (!stream.startsWith(prefix)) continue;
    const last = lasts.get(stream);
    const erased = last?.erased === undefined ? {} : { erased: last.erased };
    if (type === 'MemoryForgotten' && last) lasts.set(stream, { ...last, forgotten: position });
    else if ((type === 'MemoryArchived' || type === 'MemoryQuarantined') && last)
      lasts.set(stream, { ...last, aside: true });
    else if ((type === 'MemoryRestored' || type === 'MemoryUnarchived' || type === 'MemoryReleased') && last)
      lasts.set(stream, { version: last.version, ...erased });
    else if (type === 'MemoryRecorded' || type === 'MemoryRevised') lasts.set(stream, { version: position, ...erased });
    else if (type === 'MemoryErased' && last) lasts.set(stream, { version: last.version, erased: position });
  }
  return lasts;
}
