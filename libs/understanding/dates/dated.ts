import type { Words } from '../entities/entity.js';

/** How finely the words name a time. */
export type Grain =
  | 'minute'
  | 'hour'
  | 'part'
  | 'day'
  | 'weekend'
  | 'week'
  | 'month'
  | 'quarter'
  | 'season'
  | 'year'
  | 'decade';

/** A time that a text names. From and to are ISO 8601 in UTC, half-open. */
export interface DatedSpan {
  readonly from: string;
  readonly to: string;
  readonly grain: Grain;
  /** False where the words leave room: `a few weeks ago`, `on Friday` without which one, `5月7日` without a year. */
  readonly exact: boolean;
  readonly words: Words;
}

/** A time that a question asks about; open where it says only since or until when. */
export interface AskedSpan {
  readonly from?: string;
  readonly to?: string;
  readonly grain: Grain;
  readonly exact: boolean;
  readonly words: Words;
}
