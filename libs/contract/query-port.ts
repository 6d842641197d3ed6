import type { Caller } from './caller.js';
import type { ForgetFilter } from './forget.js';
import type { HistoryInput, HistoryOutput } from './history.js';
import type { MemoryItem } from './memory-item.js';
import type { SearchInput, SearchOutput } from './search.js';
import type { StatsOutput } from './stats.js';

/** Questions in, memories out. Every answer carries a basis; every read sees what was acknowledged before it. */
export interface QueryPort {
  search(input: SearchInput, caller: Caller): Promise<SearchOutput>;
  history(input: HistoryInput, caller: Caller): Promise<HistoryOutput>;
  /** The memory as it is now, whatever its status; rejects with memory_not_found. */
  item(memoryId: string, caller: Caller): Promise<MemoryItem & { basis: string }>;
  /**
   * The current memories that a forget filter means, in a fixed order: what a dry run shows and a confirm token binds.
   * @param retractedToo also those that would be meant if they were not retracted
   */
  matching(
    filter: ForgetFilter,
    caller: Caller,
    retractedToo?: boolean,
  ): Promise<{ memoryId: string; version: number; preview: string }[]>;
  stats(caller: Caller): Promise<StatsOutput>;
}
