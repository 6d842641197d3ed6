import { HindsightError } from '#contract/errors.js';
import { counted } from '#query/mcp/render/shown.js';
import type { Keyless } from './find-keyless.js';

/** Files by their names, and when the two were made (ISO). */
export interface KeylessFiles {
  readonly files: { readonly events: string; readonly keys: string; readonly erasures?: string | undefined };
  readonly head: { readonly made: string };
  readonly bundle: { readonly made: string };
}

/** How many have no key. */
export interface KeylessCounts {
  readonly memories: number;
  /** Names of people: one may have several. */
  readonly people: number;
  readonly banks: number;
}

/** @throws HindsightError invalid_input where something has no key: what would be restored could neither be read nor be told from damage */
export function insistOnErased(keyless: Keyless, { files, head, bundle }: KeylessFiles): void {
  if (keyless.size === 0) return;
  const all = [...keyless.values()];
  const counts = {
    memories: all.reduce((sum, each) => sum + each.memories.size, 0),
    people: all.reduce((sum, each) => sum + (each.isGone ? 0 : each.subjects.size), 0),
    banks: all.filter(({ isGone }) => isGone).length,
  };
  const { events, keys, erasures } = files;
  const neither = erasures === undefined ? '' : `, nor does ${erasures}`;
  throw new HindsightError(
    'invalid_input',
    `${keys} (made ${bundle.made}) has no key any more for ${keylessCounted(counts)}, and ${events} (made ${head.made}) does not know that they were erased${neither}. Nothing was restored. Give --erasures with the ledger.db of later, or with a backup as new as the keys: what was erased is erased again. Where there is none, --erase-missing erases exactly these anew.`,
    { ...counts, keys, events, ...(erasures === undefined ? {} : { erasures }) },
  );
}

/** How many are meant, in words. */
export function keylessCounted({ memories, people, banks }: KeylessCounts): string {
  return [
    ...(memories > 0 ? [counted(memories, 'memory', 'memories')] : []),
    ...(people > 0 ? [counted(people, 'name of a person', 'names of people')] : []),
    ...(banks > 0 ? [counted(banks, 'deleted bank')] : []),
  ].join(', ');
}
