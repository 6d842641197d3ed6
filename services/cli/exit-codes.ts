import { type ErrorCode, isHindsightError } from '#contract/errors.js';

/** As docs/operate.md has them. */
export const exitCode = { done: 0, foundWrong: 1, wrongUsage: 2, notReachable: 3 } as const;

const notReachable: readonly ErrorCode[] = [
  'unreachable',
  'keys_unreachable',
  'views_missing',
  'views_behind',
  'database_refused',
  'service_refused',
  'outcome_unknown',
  'ledger_busy',
  'ledger_read_only',
  'ledger_moved',
  'disk_full',
  'no_file',
  'not_writable',
  'master_key_missing',
  'master_key_wrong',
  'keys_missing',
  'newer_format',
  'unknown_event',
];
const foundWrong: readonly ErrorCode[] = [
  'ledger_corrupt',
  'key_not_found',
  'version_conflict',
  'concurrent_write',
  'wrong_expected_revision',
  'internal',
];

/** Whatever else goes wrong was asked for wrongly. */
export function exitCodeOf(error: unknown): number {
  if (!isHindsightError(error)) return exitCode.foundWrong;
  if (notReachable.includes(error.code)) return exitCode.notReachable;
  return foundWrong.includes(error.code) ? exitCode.foundWrong : exitCode.wrongUsage;
}
