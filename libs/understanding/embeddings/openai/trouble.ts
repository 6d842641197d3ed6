/**
 * Why there is no answer that can be used:
 * - `away`: it may come later (the network, too much to do, a fault of the server's);
 * - `setup`: it will not come until somebody changes something;
 * - `refused`: not for these texts;
 * - `unusable`: an answer, but not of vectors as they were asked for.
 */
export type TroubleKind = 'away' | 'setup' | 'refused' | 'unusable';

export class Trouble extends Error {
  override readonly name = 'Trouble';
  constructor(
    readonly kind: TroubleKind,
    sentence: string,
    /** Milliseconds that the server asked to be left alone for. */
    readonly retryAfter?: number,
  ) {
    super(sentence);
  }
}

/** What an HTTP status means here; undefined where it is an answer. */
export function kindOfStatus(status: number): TroubleKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'away';
  if (status === 400 || status === 413 || status === 422) return 'refused';
  return 'setup';
}

/** Of a Retry-After header: seconds, or a date. Milliseconds; undefined where it says nothing. */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*(\d+(?:\.\d+)?)\s*$/.exec(header)?.[1];
  const wait = seconds === undefined ? Date.parse(header) - now : Number(seconds) * 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
