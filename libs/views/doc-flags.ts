/** What a version's text is, as bits of one number. Drawn from the content, and 0 once that is erased. */
export const docFlags = {
  /** It ends as a question does. */
  question: 1,
  /** It speaks of a time: a date, a weekday, a relative time word. */
  mentionsTime: 2,
  /** Longer than turns of a conversation are: of 2,760 in LoCoMo the longest has 436 bytes; of messages to assistants (BEAM) more than half are longer. */
  long: 4,
  /** Written in Latin letters, or with a good part of them. */
  latin: 8,
  /** The same of Chinese characters. */
  han: 16,
  /** It tells a number, in digits or in words. */
  mentionsNumber: 32,
  /** It says that something is otherwise than it was. */
  mentionsChange: 64,
  /** It says how somebody wants things to be done, or what they like. */
  tellsWish: 128,
} as const;

/** UTF-8 bytes beyond which a text is `long`. */
export const longerThan = 512;
