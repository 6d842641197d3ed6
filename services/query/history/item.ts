import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { ItemAnswer } from '#contract/query-port.js';
import type { VersionRow } from '#views/rows.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { standing } from '../bank-index/visibility.js';
import { heldBack, heldBackNote } from '../basis/held-back.js';
import { openView } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { openVersion } from '../recall/open-version.js';
import { toItem } from '../recall/to-item.js';
import { versionsOf } from '../recall/versions-of.js';
import { findMemory } from './find-memory.js';

/**
 * A memory as it is now, whatever its status: the version that holds now, else the latest one. Of what is held back for review, what was
 * written is shown to reviewers alone. Rejects as findMemory does.
 */
export async function item(
  deps: QueryDeps,
  indexes: BankIndexes,
  memoryId: string,
  caller: Caller,
): Promise<ItemAnswer> {
  const view = await openView(deps, indexes, {}, caller);
  await findMemory(view, { memory_id: memoryId });
  const spans = await view.reader.spansOf(view.bank, memoryId);
  const docs = [...new Set(spans.filter((span) => span.seqFrom <= view.seq).map((span) => span.doc))].sort(
    (one, other) => other - one,
  );
  const holding = docs.find((doc) => {
    const code = view.visibility.standing[doc];
    return code === standing.current || code === standing.expired;
  });
  const doc = holding ?? docs[0];
  // It was written, or became visible, after the view was opened.
  if (doc === undefined)
    throw new HindsightError('memory_not_found', 'This memory was not known yet when it was asked for.');
  const [row] = (await versionsOf(view, [doc])) as [VersionRow];
  const content = await openVersion(deps, view.ledger, view.bank, row);
  if (!content)
    throw new HindsightError('memory_erased', `Memory ${JSON.stringify(memoryId)} was erased: what it said is gone.`, {
      memoryId,
    });
  const answer = { ...toItem(row, content, view.index.columns, view.visibility), basis: view.basis };
  return heldBack(view, caller).mayShow(doc) ? answer : withoutWords(answer);
}

/** What stands in a history too: how it stands, when and by whom, and its key. */
function withoutWords({ content, tags, metadata, subjects, source, ...rest }: ItemAnswer): ItemAnswer {
  const { external_id, ...who } = source;
  return { ...rest, source: who, notes: [heldBackNote] };
}
