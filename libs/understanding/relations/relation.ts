import type { Words } from '../entities/entity.js';

/** Whether a statement holds when it is made: it does, it once did, it does not (any longer), or it is meant to. */
export type RelationState = 'holds' | 'was' | 'not' | 'planned';

/** What a text says of two things. */
export interface StatedRelation {
  /** As equal names are matched; the speaker's name where the text says I, `<speaker>'s sister` where it says my sister. */
  readonly subject: string;
  /** Its name in the vocabulary. */
  readonly relation: string;
  readonly object: string;
  /** Whether a subject has one such object at a time: then a later statement replaces this one. */
  readonly holds: 'one' | 'many';
  readonly halfLifeDays: number;
  readonly state: RelationState;
  /** The words it rests on, from the subject's to the object's. */
  readonly words: Words;
}
