import { createCipheriv } from 'node:crypto';
import { canonicalJson, type Json } from '#events/canonical.js';
import { type AnyEvent, catalogue } from '#events/catalogue.js';
import { type EncodedEvent, type Envelope, encodeEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { type BoxBinding, boxAssociatedData, type SealedBox } from '#events/sealed-box.js';

/** Everything of an event that is neither its data nor its content. */
export interface EventContext {
  readonly id: string;
  readonly ledger: string;
  readonly bank: string;
  readonly stream: string;
  readonly revision: number;
  readonly previous: string | null;
  /** ISO, UTC, milliseconds; at least that of the event before it in the stream. */
  readonly recordedAt: string;
  readonly principal: string;
  readonly agent?: string;
  readonly session?: string;
  readonly task?: string;
  readonly step?: string;
  readonly tool?: string;
  readonly causationId?: string;
  readonly correlationId?: string;
  readonly request?: { readonly key: string; readonly print: string };
  readonly subjects?: readonly string[];
  readonly trust?: number;
}

/** A derived content key (32 bytes) and the id of the secret that it comes from. */
export interface ContentKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Seals what a person wrote, and makes the bytes that are stored. The nonce must never have been used with this key. */
export function sealEvent(event: AnyEvent, context: EventContext, key: ContentKey, nonce: Uint8Array): EncodedEvent {
  const { ledger, bank, stream, id: eventId } = context;
  const { type } = event;
  const binding = { ledger, bank, stream, eventId, type, schema: catalogue[type].schema };
  return encoded(event, context, sealBox(event.content, binding, key, nonce));
}

/** The bytes of an event in which nobody wrote anything: it can be read for ever, whatever keys are gone. */
export function bareEvent(event: AnyEvent, context: EventContext): EncodedEvent {
  if (Object.values(event.content).some((each) => each !== undefined))
    throw new TypeError(`a ${event.type} holds what somebody wrote, and must be sealed`);
  return encoded(event, context, undefined);
}

function encoded(event: AnyEvent, context: EventContext, box: SealedBox | undefined): EncodedEvent {
  const { type } = event;
  const { schema } = catalogue[type];
  const { id, ledger, bank, stream, subjects } = context;
  // Member by member and in canonical order: spreading the context took as long as all of the encoding.
  const sealed: Envelope = {
    agent: context.agent,
    bank,
    box,
    causationId: context.causationId,
    correlationId: context.correlationId,
    data: event.data,
    hashAlgorithm,
    id,
    ledger,
    previous: context.previous,
    principal: context.principal,
    recordedAt: context.recordedAt,
    request: context.request,
    revision: context.revision,
    schema,
    session: context.session,
    step: context.step,
    stream,
    subjects: subjects?.length ? [...subjects] : undefined,
    task: context.task,
    tool: context.tool,
    trust: context.trust,
    type,
    v: 1,
  };
  return encodeEvent(sealed);
}

export function sealBox(content: unknown, binding: BoxBinding, key: ContentKey, nonce: Uint8Array): SealedBox {
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce);
  cipher.setAAD(boxAssociatedData(binding));
  const text = cipher.update(canonicalJson(content as Json), 'utf8');
  // In this mode `final` adds nothing.
  cipher.final();
  const sealed = Buffer.concat([text, cipher.getAuthTag()]);
  return {
    f: 1,
    a: 'A256GCM',
    k: key.id,
    n: Buffer.from(nonce).toString('base64url'),
    c: sealed.toString('base64url'),
  };
}
