import type { Vault } from '#sealing/vault.js';
import type { ViewsReader } from '#views/reader.js';
import type { RecallRow } from '#views/rows.js';

const day = 86_400_000;

/** Keys destroyed at once: each time the master key moves on. */
const atOnce = 5_000;

/** Records looked at at once. */
const page = 500;

/**
 * Once the oldest question has come to its end, those go too that would within so many days: each time the master key moves, and copies of
 * it have to be made anew.
 */
const togetherDays = 7;

interface Deps {
  readonly vault: Pick<Vault, 'secret' | 'destroy'>;
  readonly reader: Pick<ViewsReader, 'banks' | 'recallsOf'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Days that what was asked can be read; 0: always. */
  readonly days: number;
}

/**
 * Ends what was asked long ago: the record of a recall stays, with what was served, and its question opens no more. No process keeps
 * anything about it: what is to do is seen from the records and the keys.
 * @returns how many questions were ended, and the master key epoch in force since
 */
export async function expireQuestions({
  vault,
  reader,
  now,
  days,
}: Deps): Promise<{ expired: number; epoch?: number }> {
  if (days === 0) return { expired: 0 };
  const isDue = new Date(now - days * day).toISOString();
  const goesToo = new Date(now - Math.max(days - togetherDays, days / 2) * day).toISOString();
  const doomed: string[] = [];
  let due = false;
  for (const { bank } of await reader.banks())
    for (const { secretId, recordedAt } of await living(vault, reader, bank, goesToo)) {
      doomed.push(secretId);
      due ||= recordedAt < isDue;
    }
  if (!due) return { expired: 0 };
  let epoch: number | undefined;
  for (let from = 0; from < doomed.length; from += atOnce)
    ({ epoch } = await vault.destroy({ secrets: doomed.slice(from, from + atOnce), subjects: [], banks: [] }));
  return { expired: doomed.length, ...(epoch === undefined ? {} : { epoch }) };
}

/** Questions of a bank from before a moment that open still, oldest first. Looks back until a page of them has none. */
async function living(
  vault: Pick<Vault, 'secret'>,
  reader: Pick<ViewsReader, 'recallsOf'>,
  bank: string,
  before: string,
): Promise<{ readonly secretId: string; readonly recordedAt: string }[]> {
  const found: { secretId: string; recordedAt: string }[] = [];
  let rows: RecallRow[] = await reader.recallsOf(bank, { before, newestFirst: true, limit: page });
  while (rows.length > 0) {
    const known = found.length;
    for (const { secretId, recordedAt } of rows)
      if (secretId !== undefined && (await vault.secret(secretId))) found.push({ secretId, recordedAt });
    if (rows.length < page || found.length === known) break;
    rows = await reader.recallsOf(bank, { before, newestFirst: true, limit: page, after: rows.at(-1)!.recallNo });
  }
  return found.reverse();
}
