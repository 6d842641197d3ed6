import { z } from 'zod';

const relationName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'a relation is named like lives_in: a to z, digits and _');
const phrase = z.string().min(1).max(80).refine(isPhrase, {
  error:
    'a phrase is plain words ("lives in": subject before, object behind), or has {s} and {o} with words between them ("{o} is {s} boss"); {o} alone may stand inside ("在{o}工作"), and {x} for what is passed over ("moved from {x} to {o}")',
});

const relationKind = z.strictObject({
  name: relationName,
  /** Whether a subject has one such object at a time (a later one replaces it) or many. */
  holds: z.enum(['one', 'many']),
  /** After so many days half of such statements no longer hold. */
  halfLifeDays: z.number().positive().max(100_000),
  /** Why that long. */
  why: z.string().max(200).optional(),
  /** What an object is: a name or a few words, a number, a value (number, version, tool, path …), or all up to the clause's end. */
  object: z.enum(['name', 'number', 'value', 'clause']).default('name'),
  en: z.array(phrase).max(100).default([]),
  zh: z.array(phrase).max(100).default([]),
});

/** A vocabulary of relations as JSON: the ones that ship, and what a bank adds to them. */
export const relationPack = z.strictObject({
  name: z.string().min(1).max(40),
  relations: z.array(relationKind).min(1).max(200),
});

export type RelationPack = z.input<typeof relationPack>;
export type RelationKind = RelationPack['relations'][number];

export type ObjectKind = z.output<typeof relationKind>['object'];

/** Where subject and object stand about the words of a phrase. */
export interface Phrase {
  readonly order: 'subject first' | 'object first';
  /** Between the first and the second, or up to what is passed over. */
  readonly between: string;
  /** Between what is passed over and the second; '' when nothing is. */
  readonly through: string;
  /** Behind the second; '' for none. */
  readonly tail: string;
}

const slots = /\{[sox]\}/g;

/** Takes a phrase apart. Undefined when its slots make no sense. */
export function phraseOf(words: string): Phrase | undefined {
  const found = (words.match(slots) ?? []).join('');
  const parts = words.split(slots).map((part) => part.trim().toLowerCase());
  const form = forms.get(found);
  if (!form) return undefined;
  const [lead, between, through, tail] = form.map((at) => (at === undefined ? '' : parts[at]!)) as [
    string,
    string,
    string,
    string,
  ];
  if (lead !== '' || between === '' || (found.includes('x') && through === '')) return undefined;
  return { order: found.startsWith('{o}{s}') ? 'object first' : 'subject first', between, through, tail };
}

/** Of each order of slots: which part stands first, between, through and behind. What stands first and is not written is the subject. */
const forms: ReadonlyMap<string, readonly (number | undefined)[]> = new Map([
  ['', [undefined, 0, undefined, undefined]],
  ['{o}', [undefined, 0, undefined, 1]],
  ['{s}{o}', [0, 1, undefined, 2]],
  ['{o}{s}', [0, 1, undefined, 2]],
  ['{x}{o}', [undefined, 0, 1, 2]],
  ['{s}{x}{o}', [0, 1, 2, 3]],
]);

function isPhrase(words: string): boolean {
  return phraseOf(words) !== undefined;
}
