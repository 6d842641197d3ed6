import { type BasisVectors, modelInBasis } from '#contract/basis.js';
import { HindsightError } from '#contract/errors.js';
import type { Embedder, VectorSpace } from '#understanding/embeddings/embedder.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import type { ViewsReader } from '#views/reader.js';
import type { BankIndex } from '../bank-index/bank-index.js';
import type { BankVectors } from '../bank-index/bank-vectors.js';

/** The vectors that a question may rest on. */
export interface ViewVectors {
  /** Of the model, which the question is to be embedded by. */
  readonly space: VectorSpace;
  /** Of docs below it; it is never beyond the docs of the basis. */
  readonly mark: number;
  /** As they stood after so many. */
  readonly changes: number;
  readonly index: BankVectors;
  /** Some that counted at the basis were made anew since, for what was erased was embedded with them. */
  readonly isAltered: boolean;
}

/** What of vectors an answer rests on, and what it has to say of them. */
export interface FoundVectors {
  readonly vectors?: ViewVectors | undefined;
  readonly point?: BasisVectors | undefined;
  readonly note?: string | undefined;
}

export const loadingNote = 'The model is loading: answered by keywords.';
export const nothingNote = 'Nothing is embedded yet: answered by keywords.';

/** Milliseconds that a repeated answer waits for a model that is loading: without its vectors it would be another answer. */
const repeatWaits = 15_000;

interface Asked {
  readonly bank: string;
  readonly reader: ViewsReader;
  readonly index: BankIndex;
  /** Docs of the bank at the basis. */
  readonly docs: number;
  /** What the basis says that was given back; `latest` where none was. */
  readonly given: BasisVectors | undefined | 'latest';
}

/**
 * The vectors that count for a question. Where they cannot be had, keywords answer, and the note says why.
 * @throws HindsightError recipe_unavailable when the basis rests on vectors of another model
 */
export async function findVectors(embedder: Embedder | undefined, asked: Asked): Promise<FoundVectors> {
  const { bank, reader, index, docs, given } = asked;
  // What was answered without any is repeated without any.
  if (given === undefined || docs === 0) return {};
  const isRepeated = given !== 'latest';
  if (!embedder) {
    if (isRepeated) throw otherModel(given, 'and now there is none');
    return {};
  }
  const space = await readySpace(embedder, isRepeated ? repeatWaits : 0);
  if (typeof space === 'string') {
    const isLoading = space === loadingNote;
    return { note: isLoading && (await reader.vectorSpaces(bank)).length === 0 ? nothingNote : space };
  }
  const passages = passageSpace(space);
  const model = modelInBasis(passages);
  if (isRepeated && model !== given.model) throw otherModel(given, `and now it is ${model}`);
  const state = await reader.vectorState(bank, passages);
  const mark = isRepeated ? given.mark : Math.min(state.mark, docs);
  const changes = isRepeated ? given.changes : state.changes;
  if (mark === 0) return { note: nothingNote };
  const loaded = index.vectors(passages);
  await loaded.refresh(reader, state);
  const note = noteOf({ made: state.mark, mark, docs, isRepeated, damaged: loaded.damaged });
  return {
    vectors: { space, mark, changes, index: loaded.at(changes), isAltered: state.blanked > changes },
    point: { mark, changes, model },
    note,
  };
}

/** The space of a model that is ready, or why there is none. */
async function readySpace(embedder: Embedder, waits: number): Promise<VectorSpace | string> {
  const { state, reason } = embedder.state();
  if (state === 'failed') return unavailableNote(reason);
  if (state !== 'ready') {
    if (waits === 0) return loadingNote;
    embedder.warm();
  }
  // No sleep that is aborted: to make that error costs a tenth of a millisecond of every question.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, state === 'ready' ? repeatWaits : waits, loadingNote);
  });
  try {
    return await Promise.race([embedder.space(), late]);
  } catch (error) {
    return unavailableNote(error instanceof Error ? error.message : undefined);
  } finally {
    clearTimeout(timer);
  }
}

/** Said where the model cannot be had. */
export function unavailableNote(reason: string | undefined): string {
  return `Embeddings are not available${reason === undefined ? '' : ` (${reason})`}: answered by keywords.`;
}

interface Made {
  readonly made: number;
  readonly mark: number;
  readonly docs: number;
  readonly isRepeated: boolean;
  readonly damaged: number;
}

function noteOf({ made, mark, docs, isRepeated, damaged }: Made): string | undefined {
  if (damaged > 0)
    return `${damaged} of ${made} embeddings are damaged: what they are of is found by keywords alone. Delete the views: they are made anew from the ledger.`;
  if (isRepeated)
    return made < mark
      ? `Embeddings are being made anew: ${made} of the ${mark} that this answer rested on are there.`
      : undefined;
  return made < docs ? `Embeddings are still being made: ${made} of ${docs} are there.` : undefined;
}

function otherModel({ model }: BasisVectors, now: string): HindsightError {
  return new HindsightError(
    'recipe_unavailable',
    `This basis rests on vectors of the model ${model}, ${now}: what is compared by one model means nothing to another.`,
    { model },
  );
}
