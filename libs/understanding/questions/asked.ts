import type { AskedSpan } from '../dates/dated.js';
import type { Entity } from '../entities/entity.js';
import type { Language } from '../language/language.js';

/** The kind of answer that is wanted. */
export type Wanted = 'who' | 'when' | 'where' | 'value' | 'count' | 'how' | 'why' | 'whether';

/** A question as the rules understand it. */
export interface AskedQuestion {
  readonly language: Language;
  readonly wanted: Wanted | undefined;
  /** Asks for what was before (`used to`, `originally`, 以前, 原来): superseded versions count. */
  readonly past: boolean;
  /** Asks how something stands now: of two statements of it, the later one counts. */
  readonly aboutNow: boolean;
  /** Asks for whatever there is, of a time or within a filter, and for nothing in particular. */
  readonly bare: boolean;
  /** Says I, me, my, 我. */
  readonly firstPerson: boolean;
  /** Asks for advice, or for something to be done. */
  readonly forHelp: boolean;
  /** Asks for what was said to the one who asks: `what did you recommend`, 你推荐过. */
  readonly ofYou: boolean;
  readonly entities: readonly Entity[];
  /** The times that are asked about. */
  readonly dates: readonly AskedSpan[];
  /** What is searched and embedded: the question without its filler. Never empty unless the question is. */
  readonly text: string;
  /** What was cut, in its order, as written. */
  readonly cut: readonly string[];
}
