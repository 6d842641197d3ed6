import { HindsightError } from '#contract/errors.js';

/** SQLSTATEs and Node's codes of what may be different at the next try. */
const passing =
  /^(08|57P0[123]|40001|40P01|55P03|53300|25006|ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;
/** pg tells some of its troubles by their words alone. */
const passingWords = /timeout|terminated|not queryable|Connection ended|Client has encountered a connection error/i;

/** Whether the next try may be answered: a server that is away, starting, a standby, or busy. */
export function mayPass(error: unknown): boolean {
  if (error instanceof HindsightError || !(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? passingWords.test(error.message) : passing.test(code);
}

/** The error in words that say what to do. Never an error of PostgreSQL itself: a projector would take it for the event's. */
export function keysTrouble(error: unknown, place: string): unknown {
  if (error instanceof HindsightError || !(error instanceof Error)) return error;
  const code = codeOf(error) ?? '';
  const say = (hindsight: 'keys_unreachable' | 'ledger_busy' | 'disk_full' | 'invalid_config', sentence: string) =>
    new HindsightError(hindsight, sentence, { database: place }, { cause: error });
  if (/^(40|55P03)/.test(code))
    return say('ledger_busy', `Others hold what is needed in the database of the keys (${place}).`);
  if (code === '53100') return say('disk_full', `The disk of the database of the keys (${place}) is full.`);
  if (code === '42501')
    return say(
      'invalid_config',
      `The database of the keys (${place}) refused: ${error.message}. Its role must own the schema hindsight_keys, or be allowed to create it.`,
    );
  if (code === '25006')
    return say(
      'keys_unreachable',
      `The database of the keys (${place}) takes no writes now: it is a standby, or was made read-only.`,
    );
  // Password, user or database are not accepted, or nobody is there.
  if (mayPass(error) || /^(28|3D|57P|53|58|ENOTFOUND|SELF_SIGNED|DEPTH_ZERO|CERT|UNABLE|ERR_TLS|ERR_SSL)/.test(code))
    return say('keys_unreachable', `The database of the keys (${place}) cannot be reached: ${error.message}.`);
  return new HindsightError(
    'internal',
    `The database of the keys (${place}) refused: ${error.message}.`,
    { database: place, state: code },
    { cause: error },
  );
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  // Several addresses of a host were tried, each with an error of its own.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return undefined;
}
