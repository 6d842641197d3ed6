import { decodeBasis } from '#contract/basis.js';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { BankKeys } from '#sealing/vault.js';
import type { ViewsReader } from '#views/reader.js';
import type { BankIndex } from '../bank-index/bank-index.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { pointAt, type Visibility } from '../bank-index/visibility.js';
import type { QueryDeps } from '../query-deps.js';
import { type AskedBasis, type BasisPoint, basisToken, resolveBasis } from './resolve-basis.js';

/** A bank as one question sees it: everything acknowledged before the question, and nothing after its basis. */
export interface View {
  readonly bank: string;
  readonly ledger: string;
  /** Of the views that it was read from. */
  readonly stamp: string;
  readonly keys: BankKeys;
  readonly reader: ViewsReader;
  readonly index: BankIndex;
  readonly point: BasisPoint;
  /** 0 before the bank's first event. */
  readonly seq: number;
  /** All memories at the basis and its moment. */
  readonly visibility: Visibility;
  readonly basis: string;
  /** What the answer has to say beside itself. */
  readonly notes: readonly string[];
}

/** Projects what is missing, then fixes what the answer rests on. Rejects as resolveBasis does. @throws HindsightError bank_erased */
export async function openView(
  deps: QueryDeps,
  indexes: BankIndexes,
  asked: AskedBasis,
  caller: Caller,
): Promise<View> {
  const { bank } = caller;
  const ledger = deps.ledger.id;
  // Given both, it is refused below.
  const isBasis = asked.basis !== undefined && asked.as_of === undefined;
  const given = isBasis ? decodeBasis(asked.basis, { ledger, bank }) : undefined;
  const note = await deps.catchUp(bank, given?.position);
  const stamp = await deps.viewsStamp();
  const reader = deps.reader(stamp);
  const index = indexes.of(bank, stamp);
  const head = await index.refresh(reader);
  const keys = await deps.vault.knownBankKeys(bank);
  if (!keys || index.columns.docs === 0) await insistOnBank(reader, bank);
  const point = await resolveBasis(asked, { ledger, bank, reader, head, now: deps.sources.now() });
  const seq = point.moment?.seq ?? 0;
  // What was projected since the index was read: a point it does not hold would be answered, and kept, without its last events.
  if (seq > (head?.seq ?? 0)) await index.refresh(reader);
  return {
    bank,
    ledger,
    stamp,
    keys: keys ?? noKeys(bank),
    reader,
    index,
    point,
    seq,
    visibility: index.visibility(pointAt(seq, point.at)),
    basis: basisToken(ledger, bank, point),
    notes: note === undefined ? [] : [note],
  };
}

/**
 * For what must rest on all that was written: a set that is to be forgotten, or that something is not there.
 * @throws HindsightError views_behind
 */
export function insistOnAll({ notes }: Pick<View, 'notes'>): void {
  const [note] = notes;
  if (note !== undefined) throw new HindsightError('views_behind', note);
}

/** Asked where a bank holds nothing: so it is with a new one, and with one that was deleted, as a server that still runs on it finds it. */
async function insistOnBank(reader: ViewsReader, bank: string): Promise<void> {
  const isErased = (await reader.bankEvents(bank)).some(({ type }) => type === 'BankErased');
  if (isErased) throw new HindsightError('bank_erased', 'This bank was deleted, with all that was in it.', { bank });
}

/** A bank without keys holds nothing: any hash misses. Reading makes no keys. */
function noKeys(bank: string): BankKeys {
  const none = new Uint8Array(32);
  return { bank, secret: none, identityKey: none, indexKey: none };
}
