import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import { decodeEnvelope } from '#events/envelope.js';
import type { ErasureCompleted } from '#events/erasure-completed.js';
import { parseStreamName, streamName } from '#events/stream-name.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { recordRotation } from '#ledger/record-rotation.js';
import { bankStream } from '../banks/bank-life.js';
import { type Check, certificateText } from './certificate.js';
import { secretOfDoomed } from './doomed-records.js';
import { endedBefore, isDestroyed } from './ended-before.js';
import { type ErasedMemory, eraseMemory, isAbout, isClosed } from './erase-memory.js';
import type { ErasingDeps } from './erasing-deps.js';
import { appendNext } from './next-events.js';
import { encodedFor, eventId, type Order } from './order.js';

/** Memories ended at a time: their appends share an fsync. */
const atOnce = 250;

/** What an order came to, as far as the keys go: from here on nothing opens what it names. */
export interface Destroyed {
  readonly order: Order;
  readonly memories: readonly ErasedMemory[];
  /** Memories that were written to since they were shown: they stay. */
  readonly left: readonly string[];
  readonly recalls: number;
  readonly epoch: number;
}

/**
 * Ends the memories of an order in their streams and destroys the keys of all that goes. Any number of processes may be at it, and it may be
 * killed anywhere: done again it comes to the same.
 * @throws what the ledger and the vault throw; ledger_corrupt or key_not_found never for what was erased
 */
export async function destroyOrdered(deps: ErasingDeps, order: Order): Promise<Destroyed> {
  const { vault, bankLifeFreshFor = 0 } = deps;
  // The event that ends the bank is in the ledger: from here on no process takes it for alive that has not done so already. Node's timers
  // may be a millisecond early.
  if (order.ofBank && bankLifeFreshFor > 0) await sleep(bankLifeFreshFor + 2);
  const erased = new Map<string, ErasedMemory>();
  const left = new Set<string>();
  const eraseAll = async (ids: readonly string[], when: 'ordered' | 'late') => {
    for (let from = 0; from < ids.length; from += atOnce)
      for (const each of await Promise.all(
        ids.slice(from, from + atOnce).map((memoryId) => eraseMemory(deps, order, memoryId, when)),
      ))
        if (each.left) left.add(each.memoryId);
        else erased.set(each.memoryId, merged(erased.get(each.memoryId), each));
  };
  await eraseAll(order.memories, 'ordered');
  // Where the order's own secret is gone a former try came further, and the person's secret is that of what was written about them since.
  const peopleGo = order.subjects.length > 0 && !(await isDestroyed(deps, order, []));
  const records: Records = { there: new Set(), gone: new Set() };
  const scan = recordScan(deps, { order, erased, records, destroyedBefore: order.subjects.length > 0 && !peopleGo });
  const missed = await scan.on();
  const goneByThis = (await isDestroyed(deps, order, erased.values())) ? records.gone : new Set<string>();
  await eraseAll(missed, 'late');
  const subjects = peopleGo ? order.subjects.map((subject) => ({ bank: order.bank, subject })) : [];
  const banks = order.ofBank ? [order.bank] : [];
  const own = order.subjects.length > 0 ? order.secrets : [];
  const secrets = () => [...[...erased.values()].flatMap((each) => [...each.secrets]), ...records.there, ...own];
  const aliases = await aliasSecrets(deps, order);
  let { epoch } = await vault.destroy({ secrets: [...secrets(), ...aliases], subjects, banks }, order);
  // What others wrote meanwhile with the keys that are gone now: it came before the erasure, and goes with it.
  for (let known = -1; ; ) {
    const late = await scan.on();
    const size = erased.size + records.there.size;
    if (late.length === 0 && size === known) break;
    known = size;
    if (late.length > 0) await eraseAll(late, 'late');
    ({ epoch } = await vault.destroy({ secrets: secrets(), subjects: [], banks }, order));
  }
  await recordRotation(deps.ledger, { ...deps.sources, principal: order.by.principal }, { epoch, cause: 'erasure' });
  return {
    order,
    memories: [...erased.values()],
    left: [...left].sort(),
    recalls: records.there.size + goneByThis.size,
    epoch,
  };
}

/** A memory that was ended, and ended again since something late was written to it. */
function merged(before: ErasedMemory | undefined, now: ErasedMemory): ErasedMemory {
  if (!before) return now;
  const known = new Set(before.former.map(({ id }) => id));
  return {
    ...now,
    former: [...before.former, ...now.former.filter(({ id }) => !known.has(id))],
    secrets: new Set([...before.secrets, ...now.secrets]),
    mark: now.mark ?? before.mark,
  };
}

/** Secrets of records of reads that an order takes: those that are there, and those that were destroyed since it was given. */
interface Records {
  readonly there: Set<string>;
  readonly gone: Set<string>;
}

/** Of the records that two names mean one person. */
async function aliasSecrets({ ledger }: ErasingDeps, { bank, subjects }: Order): Promise<string[]> {
  const found: string[] = [];
  for (const id of subjects)
    for await (const { bytes } of ledger.readStream(streamName({ ledger: ledger.id, bank, category: 'subject', id }))) {
      const { box } = decodeEnvelope(bytes);
      if (box) found.push(box.k);
    }
  return found;
}

/**
 * Goes through the ledger, at each call from where the last one stopped: notes the secrets of records of reads that have to go, and says
 * which further memories do, since something about the person was written to them that no longer opens.
 */
function recordScan(
  deps: ErasingDeps,
  {
    order,
    erased,
    records,
    destroyedBefore,
  }: {
    readonly order: Order;
    readonly erased: ReadonlyMap<string, ErasedMemory>;
    readonly records: Records;
    readonly destroyedBefore: boolean;
  },
): { on(): Promise<string[]> } {
  let after: string | undefined;
  let keysAreGone = destroyedBefore;
  const isOfAnother = endedBefore(deps, order);
  return {
    async on() {
      if (order.ofBank) return [];
      const memories = new Set(erased.keys());
      const late = new Set<string>();
      for await (const stored of deps.ledger.readAll(after === undefined ? {} : { after })) {
        after = stored.position;
        const secret = await secretOfDoomed(deps, stored, { memories, order });
        if (secret !== undefined) {
          if (await deps.vault.secret(secret)) records.there.add(secret);
          else if (!(await isOfAnother(stored))) records.gone.add(secret);
        } else if (keysAreGone && (await isLate(deps, stored, order))) late.add(parseStreamName(stored.stream).id);
      }
      keysAreGone = true;
      return [...late];
    },
  };
}

/** Something about the person that nothing opens, in a stream where no erasure follows. */
async function isLate(deps: ErasingDeps, stored: StoredEvent, order: Order): Promise<boolean> {
  if (order.subjects.length === 0 || !stored.stream.includes(`.${order.bank}.memory-`)) return false;
  const envelope = decodeEnvelope(stored.bytes);
  if (!envelope.box || !isAbout(envelope, order) || !(await isClosed(deps.vault, stored))) return false;
  for await (const last of deps.ledger.readStream(stored.stream, { direction: 'backward' })) {
    if (last.revision <= stored.revision) return true;
    if (last.type === 'MemoryErased') return false;
  }
  return true;
}

/**
 * Waits for the views, sees that nothing of it is left, and puts on record that the order is carried out, with its certificate.
 * @throws views_behind and the like while the views, or what is derived from them, are not to be had
 */
export async function completeOrdered(deps: ErasingDeps, destroyed: Destroyed): Promise<ErasureCompleted['data']> {
  const { ledger, sources } = deps;
  const { order, memories, left, recalls, epoch } = destroyed;
  const check = await checked(deps, destroyed);
  await deps.views.purge(order.bank, order.ofBank ? 'all' : memories.map(({ memoryId }) => memoryId));
  const positions = memories.map(({ mark }) => mark?.position).filter((each) => each !== undefined);
  const id = eventId(order.erasureId, 'completed');
  const stream = bankStream(ledger.id, order.bank);
  let completed: ErasureCompleted['data'] | undefined;
  const { held } = await appendNext({ ledger, now: sources.now }, stream, async (before, place) => {
    if (before.some((each) => each.id === id)) return [];
    const at = place();
    const text = certificateText({
      ledger: ledger.id,
      order,
      memories: memories.map(({ memoryId }) => memoryId),
      left,
      recalls,
      positions: { first: least(positions), last: greatest(positions) },
      epoch,
      check,
      completedAt: at.recordedAt,
    });
    const signed = await deps.sign?.(text);
    completed = {
      erasureId: order.erasureId,
      memories: memories.length,
      ...(left.length > 0 ? { left: [...left] } : {}),
      subjects: order.subjects.length,
      recalls,
      epoch,
      completedAt: at.recordedAt,
      certificate: text,
      ...(signed ? { signature: signed.signature, publicKey: signed.publicKey } : {}),
    };
    return [encodedFor(deps, order, { type: 'ErasureCompleted', data: completed, content: {} }, { id, stream, ...at })];
  });
  const earlier = held.find((each) => each.id === id);
  return (earlier ? decodeEnvelope(earlier.bytes).data : completed) as ErasureCompleted['data'];
}

/** @throws HindsightError internal where something opens still · views_behind where the views hold something of it */
async function checked(deps: ErasingDeps, { order, memories }: Destroyed): Promise<Check> {
  const former = memories.flatMap((each) => each.former);
  for (const each of former)
    if (!(await isClosed(deps.vault, each)))
      throw new HindsightError('internal', `Event ${each.id} opens although its memory was erased.`, {
        eventId: each.id,
      });
  const reader = await deps.views.upToDate(order.bank);
  if (order.ofBank) return { events: former.length, rows: 0 };
  let rows = 0;
  for (const { memoryId, former: events } of memories) {
    const ids = new Set(events.map(({ id }) => id));
    for (const row of await reader.changesOf(order.bank, memoryId)) {
      rows += 1;
      if (row.box && ids.has(row.eventId))
        throw new HindsightError('views_behind', `The views hold what was erased of memory ${memoryId}.`, {
          memory_id: memoryId,
        });
    }
  }
  return { events: former.length, rows };
}

function least(positions: readonly string[]): string | undefined {
  return positions.reduce<string | undefined>((one, each) => (one === undefined || each < one ? each : one), undefined);
}

function greatest(positions: readonly string[]): string | undefined {
  return positions.reduce<string | undefined>((one, each) => (one === undefined || each > one ? each : one), undefined);
}
