import { counted } from '#query/mcp/render/shown.js';
import { type Looked, warning } from './finding.js';

/**
 * Erasures that were ordered and not completed; nothing where there are none.
 * @param when they go on by themselves
 */
export function checkErasures(
  unfinished: readonly { readonly erasureId: string }[],
  when = 'while a server runs, and whenever a command opens the home',
): Looked[] {
  const [first] = unfinished;
  if (!first) return [];
  const are = unfinished.length === 1 ? 'is' : 'are';
  return [
    warning(
      'erasures',
      `${counted(unfinished.length, 'erasure')} ${are} ordered and not completed; the first is ${first.erasureId}.`,
      `It goes on by itself ${when}; the log says what it waits for. Where that is a copy of the keys (key_backup_needed), set HINDSIGHT_LEDGER_KEY_BACKUP to the file that is to hold it, or to none.`,
    ),
  ];
}
