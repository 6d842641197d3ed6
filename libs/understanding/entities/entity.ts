/** What a name stands for; `name` is a proper name of which the text does not say what it is. */
export type EntityKind =
  | 'person'
  | 'organisation'
  | 'place'
  | 'tool'
  | 'work'
  | 'version'
  | 'path'
  | 'identifier'
  | 'url'
  | 'email'
  | 'name';

/** From and to in UTF-16 units of the text that was given, half-open. */
export type Words = readonly [from: number, to: number];

/** Something that a text names. */
export interface Entity {
  /** As written. */
  readonly name: string;
  /** How equal names are matched: see `foldName`. */
  readonly folded: string;
  readonly kind: EntityKind;
  /** The words it rests on. */
  readonly words: Words;
}

export interface EntityOptions {
  /** Who says it: the name counts as a person wherever it stands. */
  readonly speaker?: string | undefined;
  /** Names that are nothing else count in small letters, too: questions are typed without capitals (`where does priya live`). */
  readonly anyCase?: boolean | undefined;
}

/** Takes a name that was found. */
export type Add = (from: number, to: number, kind: EntityKind) => void;
