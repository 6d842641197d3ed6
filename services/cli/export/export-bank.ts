import { decodeEnvelope } from '#events/envelope.js';
import type { Aside } from '#ingest/formats/imported.js';
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
  /** Why it is not served, and the event that says so; undefined while it is. */
  readonly aside?: { readonly as: Aside; readonly position: Position } | undefined;
  /** Of its last erasure: what comes before cannot be told any more. */
  readonly erased?: Position | undefined;
}

/**
 * What a bank holds, as the lines that `import --format jsonl` reads: every version in the order in which it was written, and
 * what is not served, and why: retracted, archived, held back for review, rejected; nothing of what was erased. Who wrote stays behind; when it was recorded comes along as what this ledger says: the
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
    if (current && (stored.position !== last.version || last.aside)) continue;
    if (!isVersion && stored.position !== last.aside?.position) continue;
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
    } else if (
      event.type === 'MemoryForgotten' ||
      event.type === 'MemoryArchived' ||
      event.type === 'MemoryQuarantined'
    ) {
      const id = ids.get(stored.stream);
      const as = last.aside!.as;
      const { reason } = event.content;
      const source_event = { memory_id: stored.stream.slice(prefix.length), event_id: envelope.id };
      if (id !== undefined) yield { forget: { id, reason, ...(as === 'retracted' ? {} : { as }), source_event } };
    }
  }
}

async function lastEvents(ledger: Ledger, prefix: string): Promise<Map<string, LastEvents>> {
  const lasts = new Map<string, LastEvents>();
  for await (const { stream, type, position } of ledger.readAll()) {
    if (!stream.startsWith(prefix)) continue;
    const last = lasts.get(stream);
    // What is held back for review stays so, whoever writes.
    if (type === 'MemoryRecorded' || type === 'MemoryRevised')
      lasts.set(stream, {
        version: position,
        aside: last?.aside?.as === 'quarantined' ? last.aside : undefined,
        erased: last?.erased,
      });
    else if (!last) continue;
    else if (type === 'MemoryErased') lasts.set(stream, { version: last.version, erased: position });
    else if (type === 'MemoryRestored' || type === 'MemoryUnarchived' || type === 'MemoryReleased')
      lasts.set(stream, { ...last, aside: undefined });
    else {
      const as = asideBy(type, last);
      if (as) lasts.set(stream, { ...last, aside: { as, position } });
    }
  }
  return lasts;
}

/** What is held back is retracted by a reviewer alone, and only a reviewer brings it back. */
function asideBy(type: string, { aside }: LastEvents): Aside | undefined {
  switch (type) {
    case 'MemoryForgotten':
      return aside?.as === 'quarantined' ? 'rejected' : 'retracted';
    case 'MemoryArchived':
      return 'archived';
    case 'MemoryQuarantined':
      return 'quarantined';
    default:
      return undefined;
  }
}
