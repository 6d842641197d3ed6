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
  /** By each leg alone. */
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
 * @param legs names of legs to ask alone; one that the product cannot switch to is left out of all answers
 */
export async function answersTo(
  questions: readonly Question[],
  { texts }: Material,
  home: string,
  legs: readonly string[],
): Promise<Answered[]> {
  const baselines = new Map(
    [...new Set(questions.map(({ bank }) => bank))].map((bank) => [bank, baselineOf(texts, bank)]),
  );
  const turns = turnsOf(questions);
  const answered = new Map<Question, Answered>();
  const unknown = new Set<string>();
  const worker = async () => {
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      const { bank } = turn[0]!;
      const ours = await asked(await openBank(home, bank), turn);
      const alone: Record<string, string[][]> = {};
      for (const leg of legs.filter((each) => !unknown.has(each))) {
        const ids = await askedAlone(await openBank(home, bank, leg), turn, leg);
        if (ids) alone[leg] = ids;
        else unknown.add(leg);
      }
      turn.forEach((question, at) => {
        const byLeg = Object.entries(alone).map(([leg, ids]) => [leg, ids[at]!] as const);
        const baseline = baselines.get(bank)!(question);
        answered.set(question, { question, ...ours[at]!, baseline, legs: Object.fromEntries(byLeg) });
      });
    }
  };
  await Promise.all(Array.from({ length: clients }, worker));
  return questions.map((question) => withoutLegs(answered.get(question)!, unknown));
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

async function asked(bank: Bank, questions: readonly Question[]): Promise<Pick<Answered, 'found' | 'cut' | 'ms'>[]> {
  const answers: Pick<Answered, 'found' | 'cut' | 'ms'>[] = [];
  try {
    for (const question of questions) {
      const { text, validAt } = question;
      const topK = depthOf(question);
      const all = await bank.ask(text, { topK, minScore: 0, validAt });
      const cut = await bank.ask(text, { topK, validAt });
      answers.push({ found: all.items, cut: cut.items, ms: all.ms });
    }
  } finally {
    await bank.close();
  }
  return answers;
}

/** @returns nothing where another leg answered, too: the product takes no notice of what it was told */
async function askedAlone(bank: Bank, questions: readonly Question[], leg: string): Promise<string[][] | undefined> {
  const ids: string[][] = [];
  try {
    for (const question of questions) {
      const { text, validAt } = question;
      const { items } = await bank.ask(text, { topK: depthOf(question), minScore: 0, validAt, explain: true });
      if (items.some(({ legs }) => legs.some((each) => each !== leg))) return undefined;
      ids.push(idsOf(items, question));
    }
  } finally {
    await bank.close();
  }
  return ids;
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

function withoutLegs(answered: Answered, unknown: ReadonlySet<string>): Answered {
  if (unknown.size === 0) return answered;
  const legs = Object.entries(answered.legs).filter(([leg]) => !unknown.has(leg));
  return { ...answered, legs: Object.fromEntries(legs) };
}
