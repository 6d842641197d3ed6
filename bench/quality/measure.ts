import { naiveBm25 } from '../load/naive-bm25.js';
import { type Bank, type Item, openBank } from './asking.js';
import type { Material } from './material.js';
import type { Question } from './questions.js';

/** All that was answered to one question; ids best first, of sessions where the set knows no more. */
export interface Answered {
  readonly question: Question;
  /** Everything that was ranked: `min_score` 0. */
  readonly found: readonly Item[];
  /** What the product gives by itself. */
  readonly cut: readonly Item[];
  readonly baseline: readonly string[];
  /** By each leg alone, as the explanation places the candidates. */
  readonly legs: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds of the first of the two questions. */
  readonly ms: number;
}

/** Servers at once: a machine with two cores holds no more. */
const clients = 2;
/** Questions that one server is asked before the next one starts, so that a set with one bank keeps two of them busy. */
const questionsOfServer = 250;
const depth = 10;
/** Of answers by session, and to see where a stale statement stands, this many memories are looked through. */
const deepDepth = 100;

export function depthOf({ bySession, update }: Question): number {
  return bySession || update ? deepDepth : depth;
}

/** What counts as found: memories, or each session once. */
export function idsOf(items: readonly Pick<Item, 'id' | 'session'>[], { bySession }: Question): string[] {
  return bySession ? [...new Set(items.map(({ session }) => session ?? ''))] : items.map(({ id }) => id);
}

/**
 * Asks every question of the built product and of a naive BM25 over the same texts.
 * @param withLegs whether each is asked once more, for where its legs place what they found
 */
export async function answersTo(
  questions: readonly Question[],
  { texts }: Material,
  home: string,
  withLegs: boolean,
): Promise<Answered[]> {
  const baselines = new Map(
    [...new Set(questions.map(({ bank }) => bank))].map((bank) => [bank, baselineOf(texts, bank)]),
  );
  const turns = turnsOf(questions);
  const answered = new Map<Question, Answered>();
  const worker = async () => {
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      const bank = await openBank(home, turn[0]!.bank);
      try {
        for (const question of turn) {
          const baseline = baselines.get(question.bank)!(question);
          answered.set(question, { question, baseline, ...(await asked(bank, question, withLegs)) });
        }
      } finally {
        await bank.close();
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, worker));
  return questions.map((question) => answered.get(question)!);
}

/** Questions of one bank together, not too many at a time. */
function turnsOf(questions: readonly Question[]): Question[][] {
  const banks = [...new Set(questions.map(({ bank }) => bank))];
  return banks.flatMap((bank) => {
    const own = questions.filter((question) => question.bank === bank);
    const turns: Question[][] = [];
    for (let from = 0; from < own.length; from += questionsOfServer)
      turns.push(own.slice(from, from + questionsOfServer));
    return turns;
  });
}

async function asked(
  bank: Bank,
  question: Question,
  withLegs: boolean,
): Promise<Pick<Answered, 'found' | 'cut' | 'legs' | 'ms'>> {
  const { text, validAt } = question;
  const topK = depthOf(question);
  const all = await bank.ask(text, { topK, minScore: 0, validAt });
  const cut = await bank.ask(text, { topK, validAt });
  const legs = withLegs ? await bank.ask(text, { topK: deepDepth, minScore: 0, validAt, explain: true }) : undefined;
  return { found: all.items, cut: cut.items, legs: placesByLeg(legs?.items ?? [], question), ms: all.ms };
}

/** What each leg would answer by itself: the candidates of all legs in its own order. */
export function placesByLeg(items: readonly Item[], question: Question): Record<string, string[]> {
  const names = [...new Set(items.flatMap(({ legs }) => Object.keys(legs)))];
  return Object.fromEntries(
    names.map((leg) => {
      const own = items.filter(({ legs }) => legs[leg] !== undefined);
      return [
        leg,
        idsOf(
          own.sort((one, other) => one.legs[leg]! - other.legs[leg]!),
          question,
        ),
      ];
    }),
  );
}

function baselineOf(texts: Material['texts'], bank: string): (question: Question) => string[] {
  const own = texts.filter((text) => text.bank === bank);
  const index = naiveBm25();
  for (const { text } of own) index.add(text);
  return (question) => {
    const found = index.search(question.text, depthOf(question)).map(({ doc }) => own[doc]!);
    return idsOf(found, question);
  };
}
