import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import {
  type Asked,
  answersOf,
  type CommandCall,
  commandAnswer,
  largestCall,
} from '#contract/command-transport/call.js';
import { isSignedAnswer, signedCall } from '#contract/command-transport/sign.js';
import { type ErrorCode, errorCodes, HindsightError } from '#contract/errors.js';
import type { CommandConnection } from './command-connection.js';
import { outcomeUnknown } from './outcome-unknown.js';

export interface CallDeps {
  readonly connections: readonly CommandConnection[];
  /** The vault's service key. */
  readonly key: () => Promise<Uint8Array>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** 0 to 1 */
  readonly random: () => number;
  readonly log: { debug(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Milliseconds of one try; more for what is large. */
  readonly attemptMs: number;
  /** Milliseconds of all tries; more for what is large. */
  readonly callMs: number;
}

/** A further second for each so many characters: 500 memories of 64 KiB take some seconds to be sealed and stored. */
const charactersPerSecond = 1024 * 1024;

/** Milliseconds between tries, twice as long each time. */
const firstPause = 25;
const longestPause = 1_000;

type ValueOf<M extends Asked['method']> = z.infer<(typeof answersOf)[M]>;

/**
 * Makes a call to one of the ingest services until it is answered: the one that answered last is asked first, the next one where that
 * cannot be reached, is cut off, or does not answer in time. Tries of one call have its id, by which ingest performs it once.
 * @throws HindsightError as the command does · unreachable when nothing was sent · outcome_unknown when it was, and is not answered ·
 *   service_refused · too_large
 */
export function ingestCalls(deps: CallDeps) {
  const { connections, now, log } = deps;
  let preferred = Math.floor(deps.random() * connections.length);

  return async function call<A extends Asked>(asked: A): Promise<ValueOf<A['method']>> {
    const id = deps.uuid();
    const asText = (deadline: number) => JSON.stringify({ v: 1, id, deadline, asked } satisfies CommandCall);
    const size = asText(0).length;
    if (size > largestCall)
      throw new HindsightError('too_large', `This call has ${size} characters as JSON; ${largestCall} are taken.`, {
        given: size,
        limit: largestCall,
      });
    const more = Math.floor(size / charactersPerSecond) * 1_000;
    const began = now();
    const deadline = began + deps.callMs + more;
    const text = asText(deadline);
    const key = await deps.key();
    const reasons: Record<string, string> = {};
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      const left = deadline - now();
      if (left <= 0) break;
      const connection = connections[preferred % connections.length]!;
      const tried = await connection.attempt(signedCall(key, text, attempt), Math.min(left, deps.attemptMs + more));
      if (tried.is === 'answered') {
        if (!isSignedAnswer(key, tried.frame)) throw notTrusted(connection.address);
        return valueIn(tried.frame.answer, id, asked, connection.address);
      }
      if (tried.is === 'refused' && tried.refusal.refused !== 'stopping')
        throw new HindsightError(
          'service_refused',
          `The ingest service at ${connection.address} refused a call: ${tried.refusal.message}`,
          { address: connection.address, call: id, why: tried.refusal.refused },
        );
      const why = tried.is === 'refused' ? 'it is stopping' : tried.why;
      if (tried.is === 'unanswered') mayBeDone = true;
      log.debug({ call: id, method: asked.method, address: connection.address, attempt, why }, 'a call is tried again');
      reasons[connection.address] = why;
      preferred++;
      // All of them are asked before a pause.
      const round = Math.ceil(attempt / connections.length);
      if (attempt % connections.length === 0)
        await sleep(Math.min(longestPause, firstPause * 2 ** (round - 1)) * (0.5 + deps.random() / 2));
    }
    const waited = now() - began;
    if (mayBeDone) throw outcomeUnknown(asked, id, waited);
    const which = Object.entries(reasons).map(([address, why]) => `${address} (${why})`);
    throw new HindsightError(
      'unreachable',
      `No ingest service could be reached within ${(waited / 1000).toFixed(0)} s: ${which.join(', ')}. Nothing was done.`,
      { addresses: Object.keys(reasons) },
    );
  };
}

function valueIn<A extends Asked>(text: string, id: string, asked: A, address: string): ValueOf<A['method']> {
  const { id: answered, value, error } = commandAnswer.parse(JSON.parse(text));
  if (answered !== id) throw notTrusted(address);
  if (error) throw new HindsightError(codeOf(error.code), error.message, error.details);
  return answersOf[asked.method].parse(value) as ValueOf<A['method']>;
}

/** A newer release may have codes that this one lacks. */
function codeOf(code: string): ErrorCode {
  return Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'internal';
}

function notTrusted(address: string): HindsightError {
  return new HindsightError(
    'service_refused',
    `What answers at ${address} did not sign its answer with the key of this ledger’s services.`,
    { address },
  );
}
