import { type AnyEvent, catalogue, type EventType, isEventType } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { Position } from '#ledger/ledger.js';
import type { Cell, Interval, RowOf, Table } from '#views/table.js';
import type { ProjectionShape } from '#views/views.js';

/**
 * An event with everything that is drawn from its content: opened, hashed and cut before any projection sees it. Of what was erased later,
 * and where no projection needs it, the event has no content, and nothing is drawn from it.
 */
export interface ProjectedEvent {
  readonly position: Position;
  /** base64url */
  readonly hash: string;
  readonly envelope: Envelope;
  readonly event: AnyEvent;
  readonly keyHash?: string | undefined;
  readonly tagHashes: readonly string[];
  /** Keyed hashes of a version's terms, and behind them of the terms of its fields. */
  readonly terms: readonly string[];
  /** How often each of `terms` occurs. */
  readonly frequencies: readonly number[];
  /** Number of terms, repetitions included and those of fields left out. */
  readonly length: number;
  /** Keyed hash of who says it. */
  readonly speaker?: string | undefined;
  /** Keyed hashes of the names that it is about; they are among `terms`. */
  readonly entities: readonly string[];
  /** Bits of `docFlags`. */
  readonly flags: number;
  /** Distinct terms of its key. */
  readonly keyLength: number;
  /** Of a model's reading; undefined of what does not open any more. */
  readonly found?: FoundByModel | undefined;
}

/** What is drawn from what a model found: keyed hashes of names, as `entities` are, and moments in milliseconds. */
export interface FoundByModel {
  readonly names: readonly string[];
  readonly times: readonly number[];
}

/** What is drawn from a version whose content is not known: nothing. */
export const nothingDrawn = {
  keyHash: undefined,
  tagHashes: [],
  terms: [],
  frequencies: [],
  length: 0,
  speaker: undefined,
  entities: [],
  flags: 0,
  keyLength: 0,
} as const;

/** Where an event stands. */
export interface Place {
  /** Its number among the bank's events that change answers: 1, 2, … */
  readonly seq: number;
  /** The number of the version that it brings, if it brings one: 0, 1, … */
  readonly doc: number;
  /** Running maximum of recorded times, this event's included. */
  readonly systemTime: string;
}

/** The rows that a projection has asked for, as the events before this one left them. */
export interface RowsInHand {
  of<T extends Table>(table: T, ...group: readonly Cell[]): readonly RowOf<T>[];
  /** In place of the row with its key, if there is one. A group that was not asked for holds nothing before. */
  put<T extends Table>(table: T, row: RowOf<T>): void;
  /** A row whose key cannot be there yet, and that no event asks for again. */
  add<T extends Table>(table: T, row: RowOf<T>): void;
  /**
   * Puts a piece (hex) behind the blob of the row with this key, or starts one: `shared` are the key's other columns, `by` is
   * the one that the table is appended by. Costs least when the same `shared` comes several times in turn.
   */
  append<T extends Table>(table: T, shared: Partial<RowOf<T>>, by: string, piece: string): void;
}

export type Ask = (table: Table, group: readonly Cell[], within?: Interval) => void;

/**
 * Says which rows an event means. Pure: everything it knows is in its arguments, and all it does is said through `rows`.
 */
export interface Projection extends ProjectionShape {
  /** Whether it needs what is drawn from contents; of some types of events, where it names them. */
  readonly opens?: boolean | ReadonlySet<EventType>;
  /** Types of events that it looks at; all that change an answer by default. */
  readonly takes?: ReadonlySet<EventType>;
  /** It only adds and appends, and looks at no rows: a rebuild may commit what it says of several batches at once. */
  readonly mayWait?: boolean;
  /** The groups of rows that `apply` will look at; of a table whose groups are intervals, perhaps only a part. */
  readonly needs: (event: ProjectedEvent, ask: Ask) => void;
  readonly apply: (event: ProjectedEvent, place: Place, rows: RowsInHand) => void;
}

/** Whether a projection needs what is drawn from the content of events of a type. */
export function isOpenedFor({ opens = false }: Projection, type: string): boolean {
  return typeof opens === 'boolean' ? opens : isEventType(type) && opens.has(type);
}

/** Whether a projection looks at events of a type. One that this release does not know is everybody's: nobody may pass over it. */
export function isTaken({ takes }: Projection, type: string): boolean {
  if (!isEventType(type)) return true;
  return takes ? takes.has(type) : catalogue[type].changesAnswers;
}
