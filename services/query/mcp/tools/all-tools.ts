import type { CommandPort } from '#contract/command-port.js';
import type { QueryPort } from '#contract/query-port.js';
import type { Tool } from '../tool.js';
import { memoryAudit } from './memory-audit.js';
import { memoryFeedback } from './memory-feedback.js';
import { memoryForget } from './memory-forget.js';
import { memoryHistory } from './memory-history.js';
import { memoryRestore } from './memory-restore.js';
import { memorySearch } from './memory-search.js';
import { memoryStats } from './memory-stats.js';
import { memoryWrite } from './memory-write.js';

/** Every tool, in the order in which an agent meets them. */
export function allTools(commands: CommandPort, queries: QueryPort, bankName: string): Tool[] {
  return [
    memorySearch(queries),
    memoryWrite(commands),
    memoryFeedback(commands),
    memoryForget(commands),
    memoryRestore(commands, queries),
    memoryHistory(queries),
    memoryStats(queries, bankName),
    memoryAudit(queries),
  ];
}
