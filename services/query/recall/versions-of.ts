import { HindsightError } from '#contract/errors.js';
import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';

/**
 * The versions of docs that the index holds, in the order asked for. No doc twice.
 * @throws HindsightError views_missing when one is no longer there: the views were lost since the index was read
 */
export async function versionsOf(
  { bank, reader }: { readonly bank: string; readonly reader: Pick<ViewsReader, 'versionsByDoc'> },
  docs: readonly number[],
): Promise<VersionRow[]> {
  const rows = await reader.versionsByDoc(bank, docs);
  if (rows.length === docs.length) return rows;
  throw new HindsightError('views_missing', 'The views were lost and are made anew while this is answered: ask again.');
}
