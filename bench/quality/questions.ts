import { type Update, updateOf } from './updates.js';

/** A line of queries.jsonl, as far as the bench looks at it. */
export interface QuestionRecord {
  readonly id: string;
  readonly conv_id: string;
  readonly text: string;
  readonly answer?: unknown;
  readonly category?: string | null;
  readonly relevant_ids?: readonly string[];
  readonly related_ids?: readonly string[];
  readonly relevant_session_ids?: readonly string[];
  readonly relevant_groups?: Readonly<Record<string, readonly string[]>>;
  readonly must_not_ids?: readonly string[];
  readonly as_of?: string | null;
}

export interface Question {
  readonly id: string;
  readonly bank: string;
  readonly text: string;
  readonly category: string;
  readonly language: 'English' | 'Chinese';
  /** Ids of memories, or of sessions where the set knows no more; empty for a question that has no answer in memory. */
  readonly relevant: ReadonlySet<string>;
  readonly bySession: boolean;
  /** About the question's subject without answering it: neither asked for nor held against an answer. */
  readonly related: ReadonlySet<string>;
  readonly mustNot: ReadonlySet<string>;
  readonly update?: Update;
  /** The day for which it is asked, where facts say when they held. */
  readonly validAt?: string;
  /** Whether it names what the answer is about, where the set tells subjects. */
  readonly named?: boolean;
}

/** Categories of questions that memory holds no answer to; elsewhere an empty answer says so. */
const withoutAnswer = /abstention|unanswerable|no[ _-]answer/i;

/**
 * What can be asked of a set. Questions that are neither labelled nor known to have no answer are left out.
 * @param options.pool the one bank that holds all memories of the set, if there is one
 * @param options.dated whether `as_of` is the day that the answer has to hold on
 * @param options.subjects by id of a memory what it is about
 */
export function questionsOf(
  records: readonly QuestionRecord[],
  options: { pool?: string; dated?: boolean; subjects?: ReadonlyMap<string, string> } = {},
): Question[] {
  return records
    .map((record): Question => {
      const bySession = !record.relevant_ids?.length && !!record.relevant_session_ids?.length;
      const relevant = new Set(bySession ? record.relevant_session_ids : record.relevant_ids);
      const subjects = [...relevant].map((id) => options.subjects?.get(id)).filter((subject) => subject !== undefined);
      const update = updateOf(record.relevant_groups);
      return {
        id: record.id,
        bank: options.pool ?? record.conv_id,
        text: record.text,
        category: record.category ?? '',
        language: languageOf(record.text),
        relevant,
        bySession,
        related: new Set(record.related_ids),
        mustNot: new Set(record.must_not_ids),
        ...(update && { update }),
        ...(options.dated && record.as_of ? { validAt: record.as_of } : {}),
        ...(subjects.length ? { named: subjects.some((subject) => record.text.includes(subject)) } : {}),
      };
    })
    .filter((question, at) => question.relevant.size > 0 || hasNoAnswer(records[at]!));
}

/** Memory holds no answer: the set says so by the category, by an answer that is there and empty, or by what must not be served. */
export function hasNoAnswer({ answer, category, relevant_ids, relevant_session_ids, must_not_ids }: QuestionRecord) {
  if (relevant_ids?.length || relevant_session_ids?.length) return false;
  if (withoutAnswer.test(category ?? '') || must_not_ids?.length) return true;
  const answers = Array.isArray(answer) ? answer : [answer];
  return answer === null || answers.every((each) => typeof each === 'string' && each.trim() === '');
}

/** By script: one Han character in four letters is Chinese, whatever names stand among them. */
export function languageOf(text: string): 'English' | 'Chinese' {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return han * 4 >= letters && han > 0 ? 'Chinese' : 'English';
}

/** So many, spread evenly over all; the same ones each time. */
export function spread<T>(all: readonly T[], limit: number | undefined): T[] {
  if (limit === undefined || limit >= all.length) return [...all];
  return Array.from({ length: limit }, (_, at) => all[Math.floor((at * all.length) / limit)]!);
}
