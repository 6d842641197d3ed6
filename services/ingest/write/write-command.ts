import { HindsightError } from '#contract/errors.js';
import { parseTime } from '#contract/time.js';
import { type ImportedFrom, type WriteItem, writeLimits } from '#contract/write.js';
import { memoryIdOf, type NaturalKey } from '#events/memory-identity.js';
import type { MemoryKind, MemoryOrigin } from '#events/version-fields.js';
import type { BankKeys } from '#sealing/vault.js';
import { type KnownRequest, requestOf } from '../commit/request.js';
import { sortedJson, wellFormed } from './sealed-text.js';
import { expiryOf } from './time-to-live.js';

/** A write as it is decided on: checked, times in UTC, the memory's id known. */
export interface WriteCommand {
  readonly memoryId: string;
  /** An id without a natural key, made for this write: nothing can have been written to it before, but by an earlier try of it. */
  readonly isNew: boolean;
  /** The caller named the memory: it must be there. */
  readonly revises: boolean;
  readonly ifVersion?: number;
  readonly request?: KnownRequest;
  readonly from?: ImportedFrom;
  /** JSON text */
  readonly content: string;
  /** JSON text; `{}` asks for none. */
  readonly metadata?: string;
  readonly kind?: MemoryKind;
  /** As given: `import` for a record, else `agent`, where it is not. */
  readonly origin?: MemoryOrigin;
  readonly key?: string;
  readonly session?: string;
  readonly task?: string;
  readonly step?: string;
  readonly action?: string;
  readonly occurredAt?: string;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly expiresAt?: string;
  /** A step or a record that is told again is not told anew: its time to live counts from the first time. */
  readonly expiryStays: boolean;
  readonly importance?: number;
  readonly confidence?: number;
  readonly subjects?: readonly string[];
  /** Whom the memories are about that this one is derived from: they are added. */
  readonly subjectsOfSources?: readonly string[];
  readonly tags?: readonly string[];
  readonly derivedFrom?: readonly string[];
}

export interface Writer {
  readonly keys: BankKeys;
  readonly principal: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A UUIDv7. */
  uuid(): string;
  /** What recognises an item without an idempotency key, where its call may be made again. */
  readonly callKey?: string;
}

/** @throws HindsightError invalid_input · invalid_time · too_large · natural_key_fixed */
export function writeCommand(item: WriteItem, writer: Writer, from?: ImportedFrom): WriteCommand {
  const content = contentText(item.content);
  const metadata = item.metadata && metadataText(item.metadata);
  const step = item.step === undefined ? undefined : String(item.step);
  checkNames(item, step);
  if (from) for (const name of ['source', 'id'] as const) wellFormed(name, from[name]);
  const natural = naturalKey(item, step, writer.principal, from);
  const memoryId = memoryIdFor(item, natural, writer);
  return {
    memoryId: memoryId ?? newMemoryId(writer),
    isNew: memoryId === undefined,
    revises: item.memory_id !== undefined,
    ifVersion: item.if_version,
    request: requestOf(writer.keys, writer.principal, item, { content, metadata }, from, writer.callKey),
    from,
    content,
    metadata,
    kind: item.kind,
    origin: item.origin,
    key: item.key,
    session: item.session_id,
    task: item.task_id,
    step,
    action: item.action,
    ...times(item, writer.now),
    expiryStays: natural?.by === 'step' || natural?.by === 'import',
    importance: item.importance,
    confidence: item.confidence,
    subjects: item.subjects,
    tags: item.tags && [...new Set(item.tags)],
    derivedFrom: item.derived_from,
  };
}

/** Strongest first. */
function naturalKey(
  item: WriteItem,
  step: string | undefined,
  principal: string,
  from?: ImportedFrom,
): NaturalKey | undefined {
  if (item.key !== undefined) return { by: 'slot', key: item.key };
  if (item.session_id !== undefined && step !== undefined && item.action !== undefined)
    return { by: 'step', session: item.session_id, step, action: item.action };
  if (from) return { by: 'import', source: from.source, id: from.id };
  if (item.idempotency_key !== undefined) return { by: 'request', principal, idempotencyKey: item.idempotency_key };
  return undefined;
}

function memoryIdFor(item: WriteItem, natural: NaturalKey | undefined, { keys }: Writer): string | undefined {
  const named = item.memory_id?.toLowerCase();
  if (named === undefined) return natural && memoryIdOf(keys.identityKey, keys.bank, natural);
  if (natural?.by === 'slot' && memoryIdOf(keys.identityKey, keys.bank, natural) !== named) {
    throw new HindsightError(
      'natural_key_fixed',
      `key is ${JSON.stringify(item.key)}, which is not the key that memory ${named} was first written with.`,
      { memory_id: named, key: item.key },
    );
  }
  return named;
}

/** Of a memory without a natural key; of a call that may be made again it is the one that its key stands for. */
function newMemoryId({ keys, principal, callKey, uuid }: Writer): string {
  if (callKey === undefined) return uuid();
  return memoryIdOf(keys.identityKey, keys.bank, { by: 'request', principal, idempotencyKey: callKey });
}

function contentText(content: WriteItem['content']): string {
  const isText = typeof content === 'string';
  if (isText ? content.trim() === '' : Object.keys(content).length === 0) {
    throw new HindsightError('invalid_input', 'content is empty. Expected text or an object with something in it.', {
      parameter: 'content',
    });
  }
  const text = sortedJson('content', content);
  checkSize('content', Buffer.byteLength(isText ? content : text, 'utf8'), writeLimits.contentBytes);
  return text;
}

function metadataText(metadata: Record<string, unknown>): string {
  const text = sortedJson('metadata', metadata);
  checkSize('metadata', Buffer.byteLength(text, 'utf8'), writeLimits.metadataBytes);
  return text;
}

function checkSize(parameter: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new HindsightError(
    'too_large',
    `${parameter} has ${bytes} bytes of UTF-8; at most ${limit} (${limit / 1024} KiB) are taken.`,
    { parameter, given: bytes, limit },
  );
}

function checkNames(item: WriteItem, step: string | undefined): void {
  if (step !== undefined) wellFormed('step', step);
  for (const name of ['key', 'session_id', 'task_id', 'action', 'idempotency_key', 'memory_id'] as const) {
    const given = item[name];
    if (given !== undefined) wellFormed(name, given);
  }
  for (const name of ['tags', 'subjects', 'derived_from'] as const) {
    const given = item[name];
    if (given) for (const each of given) wellFormed(name, each);
  }
}

function times(item: WriteItem, now: number) {
  const validTo = item.valid_to === undefined ? undefined : parseTime('valid_to', item.valid_to);
  const validFrom = item.valid_from === undefined ? undefined : parseTime('valid_from', item.valid_from);
  const occurredAt = item.occurred_at === undefined ? undefined : parseTime('occurred_at', item.occurred_at);
  if (validTo !== undefined) {
    const from = validFrom ?? occurredAt ?? new Date(now).toISOString();
    if (validTo <= from) {
      const source = validFrom ? 'valid_from' : occurredAt ? 'occurred_at' : 'now, as no valid_from is given';
      throw new HindsightError(
        'invalid_time',
        `valid_to is ${JSON.stringify(item.valid_to)}, which is not after ${from} (${source}). Give a valid_to after valid_from: it is exclusive.`,
        { parameter: 'valid_to', given: item.valid_to, valid_from: from },
      );
    }
  }
  return {
    validTo,
    validFrom,
    occurredAt,
    expiresAt: item.ttl === undefined ? undefined : expiryOf(item.ttl, now),
  };
}
