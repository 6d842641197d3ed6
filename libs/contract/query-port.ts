import type { AuditInput, AuditOutput } from './audit.js';
import type { Caller } from './caller.js';
import type { ForgetFilter } from './forget.js';
import type { HistoryInput, HistoryOutput } from './history.js';
import type { MemoryItem } from './memory-item.js';
import type { SearchInput, SearchOutput } from './search.js';
import type { StatsOutput } from './stats.js';

/** `retracted too`: also what would be current if it were not retracted · `everything`: every version that was not erased. */
export type Among = 'current' | 'retracted too' | 'quarantined' | 'everything';

/** A memory by its id. What was written in one that is held back for review is left out for all but reviewers; `notes` says so. */
export type ItemAnswer = Omit<MemoryItem, 'content' | 'tags'> &
  Partial<Pick<MemoryItem, 'content' | 'tags'>> & { readonly basis: string; readonly notes?: readonly string[] };

/** A version that a forget filter means. */
export interface Match {
  readonly memoryId: string;
  readonly version: number;
  /** The memory's latest version, which need not be the one that is current: it may be planned, or have been true for a while only. */
  readonly latest: number;
  readonly preview: string;
}

/** Questions in, memories out. Every answer carries a basis; every read sees what was acknowledged before it. */
export interface QueryPort {
  search(input: SearchInput, caller: Caller): Promise<SearchOutput>;
  /** All of it without a `limit`. */
  history(input: HistoryInput, caller: Caller): Promise<HistoryOutput>;
  /** The memory as it is now, whatever its status; rejects with memory_not_found. */
  item(memoryId: string, caller: Caller): Promise<ItemAnswer>;
  /**
   * The current memories that a forget filter means, in a fixed order: what a dry run shows and a confirm token binds.
   * @param among which versions are looked at: the current ones by default
   */
  matching(filter: ForgetFilter, caller: Caller, among?: Among): Promise<Match[]>;
  /** One page of an audit; that it was read is on record before it is answered. */
  audit(input: AuditInput, caller: Caller): Promise<AuditOutput>;
  stats(caller: Caller): Promise<StatsOutput>;
}
