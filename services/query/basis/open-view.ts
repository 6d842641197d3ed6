import { decodeBasis } from '#contract/basis.js';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { BankKeys } from '#sealing/vault.js';
import type { ViewsReader } from '#views/reader.js';
import type { BankIndex } from '../bank-index/bank-index.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { firstBornAfter } from '../bank-index/columns.js';
import { pointAt, type Visibility } from '../bank-index/visibility.js';
import type { QueryDeps } from '../query-deps.js';
import { type InForce, settingsInForce } from '../recall/in-force.js';
import { type AskedBasis, type BasisPoint, basisToken, insistOnRecipe, resolveBasis } from './resolve-basis.js';
import { type FoundVectors, findVectors, type ViewVectors } from './view-vectors.js';

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
  /** How the bank is recalled from at the basis. */
  readonly inForce: InForce;
  /** Absent where keywords answer alone: none are made, they are switched off, the model is not there or not ready, or nobody asked for them. */
  readonly vectors?: ViewVectors | undefined;
  /** Why there are none, or not all of them. */
  readonly vectorNote?: string | undefined;
  readonly basis: string;
  /** What the answer has to say beside itself. */
  readonly notes: readonly string[];
}

/** What a question needs beyond the rows. */
export interface Needs {
  readonly vectors?: boolean;
}

/**
 * Projects what is missing, then fixes what the answer rests on. Rejects as resolveBasis and, where vectors are needed, findVectors do.
 * @throws HindsightError bank_erased · recipe_unavailable
 */
export async function openView(
  deps: QueryDeps,
  indexes: BankIndexes,
  asked: AskedBasis,
  caller: Caller,
  needs: Needs = {},
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
  const inForce = await settingsInForce(deps, ledger, index.configuredAt(seq));
  if (given) insistOnRecipe(given.recipe, inForce.recipe);
  const vectorsOf = (): Promise<FoundVectors> | FoundVectors => {
    if (inForce.off.has('vector')) return {};
    if (!needs.vectors) return { point: given?.vectors };
    const docs = firstBornAfter(index.columns, seq);
    return findVectors(deps.embedder, { bank, reader, index, docs, given: isBasis ? given?.vectors : 'latest' });
  };
  const found = await vectorsOf();
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
    inForce,
    ...(found.vectors ? { vectors: found.vectors } : {}),
    ...(found.note === undefined ? {} : { vectorNote: found.note }),
    basis: basisToken(ledger, bank, point, { recipe: inForce.recipe, vectors: found.point }),
    notes: note === undefined ? [] : [note],
  };
}

/** The same view where the question itself could not be embedded: what keywords answer is repeated by keywords. */
export function withoutVectors({ vectors: _, ...view }: View, note: string): View {
  return {
    ...view,
    vectorNote: note,
    basis: basisToken(view.ledger, view.bank, view.point, { recipe: view.inForce.recipe }),
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
