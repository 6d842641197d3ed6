import { randomBytes } from 'node:crypto';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import type { Embedder, VectorSpace } from '#understanding/embeddings/embedder.js';
import type { EmbeddingCache } from '#understanding/embeddings/embedding-cache.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import type { MadeVector } from '#views/vectors.js';
import type { Views } from '#views/views.js';
import { openPassages, type Passage, type PassageDeps, type Turn } from './open-passages.js';
import { type SessionsBefore, sessionsBefore } from './sessions-before.js';

export interface EmbeddingDeps extends PassageDeps {
  readonly views: Views;
  readonly embedder: Embedder;
  /** What was embedded before, so that nothing is embedded twice. */
  readonly cache?: EmbeddingCache | undefined;
}

const nonceBytes = 12;

/** Docs whose vectors are put at once: about two seconds of work, which is what a kill costs; and one commit. */
const docsAtOnce = 64;

/** Makes the vectors of one bank, a batch at a time. */
export interface BankEmbedding {
  /**
   * The next batch: what is to be made anew first, then docs in their order. An error leaves all where it was.
   * @param docs how many the bank has
   * @returns whether there is more
   * @throws HindsightError embeddings_unavailable · checkpoint_moved · ledger_busy · keys_unreachable …
   */
  next(docs: number, signal?: AbortSignal): Promise<boolean>;
}

export function bankEmbedding(deps: EmbeddingDeps, bank: string, model: VectorSpace): BankEmbedding {
  const { views, cache } = deps;
  const space = passageSpace(model);
  let sessions: { readonly from: number; readonly before: SessionsBefore } | undefined;

  /** What was said before is kept in mind as long as nobody else made the docs in between. */
  function sessionsFrom(doc: number): SessionsBefore {
    if (sessions?.from !== doc) sessions = { from: doc, before: sessionsBefore(views.reader(), bank) };
    return sessions.before;
  }

  async function turnsOf(docs: readonly number[], alone: boolean): Promise<Turn[]> {
    const reader = views.reader();
    const rows = await reader.versionsByDoc(bank, docs);
    if (alone) return rows.map((row) => ({ row, before: undefined }));
    const before = sessionsFrom(docs[0]!);
    const said: (number | undefined)[] = [];
    for (const row of rows) said.push(await before.before(row));
    const others = [...new Set(said.filter((doc) => doc !== undefined))];
    const found = new Map((await reader.versionsByDoc(bank, others)).map((row) => [row.doc, row]));
    return rows.map((row, at) => ({ row, before: said[at] === undefined ? undefined : found.get(said[at]) }));
  }

  /** In the order of the passages; undefined for a text that the model takes in no form: keywords find it. */
  async function embed(
    passages: readonly Passage[],
    stamp: string | undefined,
    signal?: AbortSignal,
  ): Promise<(Uint8Array | undefined)[]> {
    const keys = cache && (await deps.vault.knownBankKeys(bank));
    const scope = keys && { keys, space: model, role: 'passage' as const };
    const texts = passages.map(({ text }) => text);
    const known = scope ? await cache.find(scope, texts) : [];
    const missing = passages.filter((_, at) => !known[at]);
    const made = await unlessRefused(missing, async (some) => {
      const options = { background: true, space: model, ...(signal ? { signal } : {}) };
      const vectors = await deps.embedder.embed(
        some.map(({ text }) => text),
        'passage',
        options,
      );
      return new Map(some.map((passage, at) => [passage, packVector(vectors[at]!)]));
    });
    if (scope && stamp !== undefined && made.size > 0)
      await cache.keep(
        scope,
        stamp,
        [...made].map(([{ text, memoryIds }, packed]) => ({ text, memoryIds, packed })),
      );
    return passages.map((passage, at) => known[at] ?? made.get(passage));
  }

  async function unlessRefused<T>(
    passages: readonly Passage[],
    work: (some: readonly Passage[]) => Promise<Map<Passage, T>>,
  ): Promise<Map<Passage, T>> {
    if (passages.length === 0) return new Map();
    try {
      return await work(passages);
    } catch (error) {
      const refused = isHindsightError(error) ? error.details.refused : undefined;
      if (!Array.isArray(refused) || refused.length === 0) throw error;
      const docs = refused.map((at: number) => passages[at]?.doc);
      deps.log.warn({ bank, docs }, 'the model takes these versions in no form: keywords find them');
      return unlessRefused(
        passages.filter((_, at) => !refused.includes(at)),
        work,
      );
    }
  }

  /** @throws HindsightError checkpoint_moved where something was erased since it was opened: what is left is embedded without it */
  async function sealed(
    passages: readonly Passage[],
    packed: readonly (Uint8Array | undefined)[],
  ): Promise<MadeVector[]> {
    const boxes = vectorBoxes(deps.vault, bank, space);
    const rows: MadeVector[] = [];
    for (const [at, { doc, before, keys }] of passages.entries()) {
      if (!packed[at]) continue;
      const box = await boxes.seal(doc, keys, packed[at], randomBytes(nonceBytes));
      if (!box)
        throw new HindsightError('checkpoint_moved', `Doc ${doc} was erased while it was embedded.`, { bank, doc });
      rows.push({ doc, before, sealed: box, ...(views.vectors.takesPacked ? { packed: packed[at] } : {}) });
    }
    return rows;
  }

  return {
    async next(docs, signal) {
      // Both before any text is opened: what is erased meanwhile must leave nothing here.
      const from = await views.reader().vectorState(bank, space);
      const stamp = await cache?.stamp(bank);
      const blanks = await views.vectors.blanks(bank, space, docsAtOnce);
      const end = Math.min(from.mark + docsAtOnce, docs);
      const isAnew = blanks.length > 0;
      if (!isAnew && end <= from.mark) return false;
      const chosen = isAnew ? blanks : Array.from({ length: end - from.mark }, (_, at) => from.mark + at);
      const passages = await openPassages(deps, await turnsOf(chosen, isAnew));
      const rows = await sealed(passages, await embed(passages, stamp, signal));
      const made = new Set(rows.map(({ doc }) => doc));
      const gone = isAnew ? chosen.filter((doc) => !made.has(doc)) : [];
      try {
        await views.vectors.put(bank, space, { from, rows, gone, mark: isAnew ? from.mark : end });
      } catch (error) {
        sessions = undefined;
        throw error;
      }
      if (!isAnew && sessions) sessions = { ...sessions, from: end };
      return isAnew || end < docs;
    },
  };
}
