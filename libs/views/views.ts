import type { Position } from '#ledger/ledger.js';
import type { PurgeStep, Purges } from './purge.js';
import type { ViewsReader } from './reader.js';
import type { Cell, Interval, Row, Table } from './table.js';
import type { VectorViews } from './vectors.js';

/** What a projection keeps. Another `version` means other rows from the same events: it is built anew beside the old one. */
export interface ProjectionShape {
  readonly name: string;
  readonly version: number;
  /** The oldest version whose tables this release can read and go on with, while today's is built beside it; today's by default. */
  readonly readableFrom?: number;
  readonly tables: readonly Table[];
  /** What goes of a memory that was erased. */
  readonly purge?: readonly PurgeStep[];
}

/** The tables of a projection, numbered: `memories_g1`, `memories_g2`, … */
export interface GenerationId {
  readonly projection: string;
  readonly generation: number;
}

/** How far a partition of a generation has come (partition.ts). */
export interface Checkpoint {
  /** Of the last event processed; undefined before the first. */
  readonly position: Position | undefined;
  /** Running maximum of the recorded times of events that change answers (ISO); '' before the first. */
  readonly systemTime: string;
}

/** Its checkpoint is that of the partition that is furthest back. */
export interface Generation extends GenerationId, Checkpoint {
  readonly version: number;
  /** In use: at most one per projection. */
  readonly active: boolean;
  /** Was in use before, and stays until it is dropped: nothing is projected into it any more. */
  readonly former?: boolean | undefined;
}

/** How many events that change an answer, and how many versions, a bank has had so far. */
export interface BankNumbers {
  readonly seq: number;
  readonly docs: number;
}

/** An event that could not be projected, or a later one of its stream. */
export interface DeadLetter {
  readonly position: Position;
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  /** ISO */
  readonly at: string;
}

/** Rows that an event asks for: those of one group of a table. */
export interface GroupRequest {
  readonly table: Table;
  /** Values of the group's columns, in order. */
  readonly group: readonly Cell[];
  /** Only rows that overlap this; perhaps others beside them. */
  readonly within?: Interval | undefined;
}

/** Pieces for rows whose keys differ in one column only. In hex, which is handed to a database at less cost than bytes. */
export interface AppendedPieces {
  /** The key's other columns. */
  readonly shared: Row;
  /** By the value of the table's `appended.by`. */
  readonly pieces: ReadonlyMap<string, string>;
}

export interface TableChange {
  readonly table: Table;
  /** Rows whose key is not there yet. */
  readonly added: readonly Row[];
  /** Rows that take the place of those with their key, if there are any. */
  readonly changed: readonly Row[];
  /** Each piece goes behind the blob of the row with its key, or starts one. */
  readonly appended: readonly AppendedPieces[];
}

/** What a batch of events means for one partition of a generation. */
export interface GenerationChange {
  readonly id: GenerationId;
  readonly partition: number;
  /** Where this projector left the checkpoint. */
  readonly from: Position | undefined;
  readonly to: Checkpoint;
  readonly numbers: ReadonlyMap<string, BankNumbers>;
  readonly tables: readonly TableChange[];
  readonly setAside: readonly DeadLetter[];
  readonly purges?: Purges | undefined;
}

/** One line of a dump: a table's name and a row of it. */
export interface DumpedRow {
  readonly table: Table;
  readonly row: Row;
}

/**
 * The read models, written. Several processes may project at once: a commit carries where its projector left the checkpoint.
 * Errors (HindsightError): `checkpoint_moved` · `newer_format` · `ledger_busy` · `disk_full` · `not_writable`.
 */
export interface Views {
  /** Of every generation; fixed when the store is made. One in the embedded profile. */
  readonly partitions: number;
  /** A server does the work: while it writes, this process is free for something else. */
  readonly onServer?: boolean;
  /**
   * Changes when the store was replaced by an empty one, when it may have lost its last commits, when a generation was made, switched or
   * dropped, or when something was purged from one in use: by any process. What was read before it changed is void.
   */
  stamp(): Promise<string>;
  generations(): Promise<Generation[]>;
  /** By partition. */
  checkpoints(id: GenerationId): Promise<Checkpoint[]>;
  /** The generation being built for this shape: the one that an interrupted rebuild left, or a new one. The first of a projection is in use at once. */
  startGeneration(shape: ProjectionShape): Promise<GenerationId>;
  /**
   * Puts these in use in one step; false, and nothing done, when one is behind the one that it would replace. What was in use becomes
   * `former`, and is dropped when something is purged from what took its place.
   */
  switchTo(ids: readonly GenerationId[]): Promise<boolean>;
  /** Removes generations with their tables, checkpoints and dead letters. */
  drop(ids: readonly GenerationId[]): Promise<void>;

  numbersOf(id: GenerationId, banks: readonly string[]): Promise<Map<string, BankNumbers>>;
  /** The rows of each group, in the order asked for. */
  load(id: GenerationId, requests: readonly GroupRequest[]): Promise<Row[][]>;
  /** All of it in one transaction, or nothing; purged banks first, purged memories last. @throws HindsightError checkpoint_moved when another projector was faster */
  commit(changes: readonly GenerationChange[]): Promise<void>;

  /**
   * Takes or renews a lease for some milliseconds; false while another holder has it, or when that cannot be told at once. It keeps
   * two from doing the same work and guards nothing: a commit does that.
   */
  lease(name: string, holder: string, forMs: number): Promise<boolean>;
  /** Gives a lease up before it lapses; nothing happens when somebody else holds it. */
  release(name: string, holder: string): Promise<void>;

  deadLetters(id: GenerationId): Promise<DeadLetter[]>;
  /** All rows of a generation as they are at one moment, and its checkpoints then, by partition; tables in the shape's order, rows in key order. */
  dump(id: GenerationId): Promise<{ checkpoints: readonly Checkpoint[]; rows: AsyncIterable<DumpedRow> }>;
  /** Number of rows per table of the generation. */
  countRows(id: GenerationId): Promise<Map<string, number>>;
  readonly vectors: VectorViews;
  reader(): ViewsReader;
  /** Called before a read that found the store replaced by an empty one is tried again. */
  refillWith(refill: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Whether this release's readers and projector can do with a generation. */
export function isReadable({ version, readableFrom = version }: ProjectionShape, found: { version: number }): boolean {
  return readableFrom <= found.version && found.version <= version;
}
