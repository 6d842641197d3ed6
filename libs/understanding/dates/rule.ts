import type { Anchor, LocalSpan } from './calendar.js';

/** What stands around the words of a rule. */
export interface Surroundings {
  /** The words themselves. */
  readonly words: string;
  /** Up to 80 characters before them. */
  readonly before: string;
  /** Up to 24 characters behind them. */
  readonly behind: string;
  /** Whether the sentence looks forward: will, by, until, 将. */
  readonly forward: boolean;
}

/** A form in which a time is written. Patterns have the flag g, and every repetition in them is bounded. */
export interface Rule {
  readonly pattern: RegExp;
  /** The time; undefined when the words name none. */
  read(match: RegExpExecArray, anchor: Anchor, surroundings: Surroundings): LocalSpan | undefined;
  /** How many characters of the match come before the words that the time rests on. */
  skip?(match: RegExpExecArray): number;
}
