import { isHindsightError } from '#contract/errors.js';
import { parseTime } from '#contract/time.js';

/** A source's time, as far as it is one: what has none, or one that nobody can read, is imported without. */
export function importedTime(timestamp: unknown): { occurred?: string; note?: string } {
  if (timestamp === null || timestamp === undefined || timestamp === '') return {};
  try {
    return { occurred: parseTime('timestamp', String(timestamp)) };
  } catch (error) {
    if (!isHindsightError(error, 'invalid_time')) throw error;
    return { note: `Imported without its time: ${error.message}` };
  }
}
