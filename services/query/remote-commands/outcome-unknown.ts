import type { Asked } from '#contract/command-transport/call.js';
import { HindsightError } from '#contract/errors.js';

/** The error for a call that may or may not have been performed, with what finds out: the key that it is known by. */
export function outcomeUnknown(asked: Asked, callId: string, waitedMs: number): HindsightError {
  const waited = `The ingest service did not answer within ${(waitedMs / 1000).toFixed(0)} s`;
  if (!('caller' in asked))
    return new HindsightError('unreachable', `${waited}. Call again: doing this twice changes nothing.`, {
      call: callId,
    });
  const { sentence, keys } = howToGoOn(asked, callId);
  return new HindsightError('outcome_unknown', `${waited}, so whether this was done is not known. ${sentence}`, {
    call: callId,
    ...keys,
  });
}

function howToGoOn(asked: Asked, callId: string): { sentence: string; keys: object } {
  const input =
    'input' in asked ? (asked.input as { idempotency_key?: string; items?: { idempotency_key?: string }[] }) : {};
  if (asked.method === 'importItems') return { sentence: 'Import again: each record is stored once.', keys: {} };
  if (asked.method === 'enrich') return { sentence: 'Ask again: it is recorded once.', keys: {} };
  if (Array.isArray(input.items)) {
    const keys = input.items.map((item, place) => item?.idempotency_key ?? `${callId}.${place}`);
    return {
      sentence: `Send the same items again, each with its idempotency_key; those without one have ${JSON.stringify(`${callId}.0`)}, ${JSON.stringify(`${callId}.1`)} and so on, by their place.`,
      keys: { idempotency_keys: keys },
    };
  }
  const key = input.idempotency_key ?? callId;
  return {
    sentence: `Send the same again with idempotency_key ${JSON.stringify(key)}: it is answered as the first time, or done once.`,
    keys: { idempotency_key: key },
  };
}
