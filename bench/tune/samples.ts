import { bankIndexes } from '#query/bank-index/bank-indexes.js';
import { openView } from '#query/basis/open-view.js';
import type { QueryDeps } from '#query/query-deps.js';
import { askedValidTime } from '#query/recall/asked.js';
import { openVersion } from '#query/recall/open-version.js';
import { candidatesOf } from '#query/recall/ranking/candidates.js';
import { featuresOf } from '#query/recall/ranking/features.js';
import { type Form, formOf } from '#query/recall/ranking/form.js';
import { compared, embedded, takeQuestion, understood } from '#query/recall/ranking/question.js';
import { versionsOf } from '#query/recall/versions-of.js';
import type { Embedded } from '../../services/cli/embedded/open-embedded.js';
import type { Question } from '../quality/questions.js';

/** A question's candidates as numbers, with which of them are relevant. */
export interface Sample {
  readonly set: string;
  readonly bank: string;
  readonly question: string;
  readonly category: string;
  readonly form: Form;
  /** Whether candidates have vectors. */
  readonly vectors: boolean;
  /** In the order of `featureNames`. */
  readonly features: readonly Float64Array[];
  readonly ids: readonly string[];
  readonly relevant: readonly boolean[];
  /** Of all that is relevant, candidates or not. */
  readonly total: number;
}

/** Takes the candidates of each question as `memory_search` does, and looks them up in the labels. */
export async function samplesOf(
  set: string,
  home: Embedded,
  questions: readonly Question[],
  options: { readonly vectors: boolean },
): Promise<Sample[]> {
  const deps = askingOf(home, options.vectors);
  const indexes = bankIndexes(deps.vault);
  const samples: Sample[] = [];
  const banks = new Map<string, { id: string; ids: (string | undefined)[] }>();
  for (const question of questions) {
    const bank = banks.get(question.bank) ?? {
      id: await home.commands.bankNamed(question.bank, 'refuse'),
      ids: [],
    };
    banks.set(question.bank, bank);
    const caller = { ...home.caller('memory_search'), bank: bank.id };
    const asked = question.validAt === undefined ? {} : { valid_at: question.validAt };
    const opened = await openView(deps, indexes, {}, caller, { vectors: options.vectors });
    const meant = understood(question.text, opened);
    const { view, vector } = await embedded(meant, opened, deps.embedder);
    const at = view.index.visibility({ seq: view.seq, ...askedValidTime(asked, view.point.at) });
    const taken = compared(await takeQuestion(question.text, meant, view), view, vector);
    const scope = {
      columns: view.index.columns,
      basis: view.visibility,
      current: at.isCurrent,
      eligible: at.isCurrent,
    };
    const overview = candidatesOf(taken, scope, 0);
    const told = featuresOf(taken, scope, overview);
    const unknown = overview.docs.filter((doc) => bank.ids[doc] === undefined);
    for (const row of await versionsOf(view, unknown))
      bank.ids[row.doc] = (await openVersion(deps, view.ledger, bank.id, row))?.externalId ?? row.memoryId;
    const ids = overview.docs.map((doc) => (question.bySession ? '' : bank.ids[doc]!));
    samples.push({
      set,
      bank: question.bank,
      question: question.id,
      category: question.category,
      form: overview.docs.length ? formOf(scope.columns, scope.basis)(overview.docs[0]!) : 'fact',
      vectors: overview.meaning !== undefined,
      features: overview.docs.map((_, place) => told.row(place)),
      ids,
      relevant: ids.map((id) => question.relevant.has(id)),
      total: question.relevant.size,
    });
  }
  return samples;
}

/** What questions are taken by; nothing is put on record. */
export function askingOf(
  { ledger, vault, views, projector, embedder, sources }: Omit<Embedded, 'paths'>,
  vectors: boolean,
): QueryDeps {
  const nothing = async (): Promise<void> => undefined;
  return {
    ledger,
    vault,
    sources,
    reader: () => views.reader(),
    viewsStamp: () => views.stamp(),
    async catchUp() {
      await projector.catchUp();
      return undefined;
    },
    embedder: vectors ? embedder : undefined,
    projection: async () => ({ lagEvents: 0, setAside: 0, generation: 0 }),
    recallMode: 'relaxed',
    recordRecall: nothing,
    recordAudit: nothing,
    storeSizes: async () => ({}),
    onRecordingFailed: () => undefined,
  };
}
