/**
 * Version of the rules that tell entities, dates, relations and what a question asks: another version may read the same text
 * otherwise. What was read with one is rebuilt with the next, like terms (docs/decisions/0023).
 */
export const understandingVersion = 3;
