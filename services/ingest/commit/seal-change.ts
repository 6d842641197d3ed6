import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import type { AnyEvent } from '#events/catalogue.js';
import type { EncodedEvent } from '#events/envelope.js';
import { subjectHash } from '#events/subject-hash.js';
import { salted } from '#sealing/content-key.js';
import { type EventContext, sealEvent } from '#sealing/seal-event.js';
import type { BankKeys, ContentSecret, Vault } from '#sealing/vault.js';
import type { EventOrigin } from './decision.js';

const nonceBytes = 12;

/** A claimed name is cut to this many characters. */
const longestName = 256;

export interface SealingTools {
  readonly vault: Vault;
  readonly sources: Sources;
}

/** Where in its stream an event goes. */
export type Place = Pick<EventContext, 'ledger' | 'bank' | 'stream' | 'revision' | 'previous' | 'recordedAt'>;

export interface SealedChange {
  readonly encoded: EncodedEvent;
  readonly context: EventContext;
}

/** Seals one event of a caller with a secret in hand. The principal is the connection's, whatever the body says. */
export async function sealChange(
  tools: SealingTools,
  event: AnyEvent,
  place: Place,
  caller: Pick<Caller, 'principal' | 'agent' | 'tool' | 'traceparent'>,
  origin: EventOrigin,
  secret: ContentSecret,
): Promise<SealedChange> {
  const { vault, sources } = tools;
  const subjects = hashesOf(await vault.bankKeys(place.bank), origin);
  const context: EventContext = {
    id: origin.id ?? sources.uuid(),
    ...place,
    principal: caller.principal,
    agent: caller.agent?.slice(0, longestName).toWellFormed(),
    session: origin.session,
    task: origin.task,
    step: origin.step,
    tool: caller.tool,
    request: origin.request,
    subjects,
    trust: origin.trust,
  };
  const key = await salted(vault, place.bank, secret.secret, subjects);
  const encoded = sealEvent(event, context, { id: secret.id, key }, sources.random(nonceBytes));
  const { traceparent } = caller;
  return { context, encoded: traceparent === undefined ? encoded : { ...encoded, traceparent } };
}

/** The secret of a memory: the one it has, so that ending it ends all versions; a fresh one for its first event. */
export async function secretFor(vault: Vault, secretId: string | undefined): Promise<ContentSecret> {
  if (secretId === undefined) return vault.freshSecret();
  const secret = await vault.secret(secretId);
  if (!secret) throw new HindsightError('key_not_found', `The key ${secretId} is not in the key store.`);
  return { id: secretId, secret };
}

function hashesOf({ identityKey }: BankKeys, { subjects = [], subjectHashes = [] }: EventOrigin): string[] | undefined {
  if (subjects.length + subjectHashes.length === 0) return undefined;
  const hashes = subjects.map((name) => subjectHash(identityKey, name));
  return [...new Set([...hashes, ...subjectHashes])].sort();
}
