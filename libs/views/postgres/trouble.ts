import { HindsightError } from '#contract/errors.js';

/** The five characters that PostgreSQL, or the operating system's code that Node, gives an error; undefined for another's. */
export function stateOf(error: unknown): string | undefined {
  const cause = error instanceof HindsightError ? error.cause : error;
  const code = (cause as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** PostgreSQL's error codes (its manual, appendix A). */
export const sqlState = {
  undefinedTable: '42P01',
  undefinedFunction: '42883',
  noSuchSchema: '3F000',
  noSuchDatabase: '3D000',
  serializationFailure: '40001',
  deadlock: '40P01',
  lockTimeout: '55P03',
  insufficientPrivilege: '42501',
  diskFull: '53100',
} as const;

/** Two transactions were in each other's way: the same work again has every chance. */
export function isCollision(error: unknown): boolean {
  const state = stateOf(error);
  return state === sqlState.serializationFailure || state === sqlState.deadlock;
}

/** What was asked of is not there: a generation that was dropped, or all of it. */
export function isMissing(error: unknown): boolean {
  const state = stateOf(error);
  return state === sqlState.undefinedTable || state === sqlState.undefinedFunction || state === sqlState.noSuchSchema;
}

const busy = new Set(['53300', '53200', '53400', sqlState.lockTimeout, sqlState.deadlock, '40001', '57014']);
const refused = new Set(['28000', '28P01', sqlState.insufficientPrivilege]);
const lost = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '26000', '58000', '58030', 'XX000']);
const unreached = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
const lostSentences =
  /connection (was )?(terminated|closed|ended)|timeout exceeded|timeout expired|read timeout|not queryable/i;

/** Whether the connection that gave this error must not be used again. */
export function isLost(error: unknown): boolean {
  const state = stateOf(error);
  if (state === undefined)
    return lostSentences.test(String((causeOf(error) as Error | undefined)?.message ?? '')) || isAggregate(error);
  return state.startsWith('08') || lost.has(state) || unreached.has(state);
}

/**
 * An error of the driver as one that a person can act on; what it does not know is given back as it is.
 * @param place host, port and database, without the password
 */
export function toHindsightError(error: unknown, place: string): unknown {
  if (error instanceof HindsightError) return error;
  const state = stateOf(error);
  const said = error instanceof Error ? error.message : String(error);
  const make = (code: HindsightError['code'], sentence: string) =>
    new HindsightError(
      code,
      sentence,
      { database: place, ...(state === undefined ? {} : { state }) },
      { cause: error },
    );
  if (state === sqlState.diskFull) return make('disk_full', `The disk of the database at ${place} is full (${said}).`);
  if (state === '25006') return make('not_writable', `The database at ${place} takes no writes (${said}).`);
  if (state === sqlState.noSuchDatabase)
    return make('unreachable', `There is no such database at ${place} (${said}): create it, or correct the address.`);
  if (state !== undefined && refused.has(state))
    return make('database_refused', `The database at ${place} refused this role (${said}).`);
  if (state !== undefined && busy.has(state)) return make('ledger_busy', `The database at ${place} is busy (${said}).`);
  if (isLost(error))
    return make('unreachable', `The database at ${place} does not answer (${said || 'no connection'}).`);
  return error;
}

function causeOf(error: unknown): unknown {
  return error instanceof HindsightError ? error.cause : error;
}

/** Node's, when every address of a host refused. */
function isAggregate(error: unknown): boolean {
  return error instanceof AggregateError;
}
