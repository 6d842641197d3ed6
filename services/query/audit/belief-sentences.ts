import type { AuditRow } from '#contract/audit.js';
import type { MemoryItem } from '#contract/memory-item.js';
import { shownTime } from '../mcp/render/shown.js';
import type { Language } from '../words/language.js';
import { lengthOfTime } from '../words/stretch-of-time.js';
import { quoted, short } from './belief-words.js';
import type { MemoryRowEvent } from './events-between.js';
import { differencesBetween, type Listed } from './reading-differences.js';

/** A memory that two readings see otherwise. */
export interface Difference {
  /** `knowledge`: the ledger learned something since · `world`: what was true then is not what is true now. */
  readonly what: 'knowledge' | 'world';
  readonly now: MemoryItem | undefined;
  /** By what is known today. */
  readonly known: MemoryItem | undefined;
  /** By what was known then. */
  readonly told: MemoryItem | undefined;
  /** What was recorded since that made the difference; none where only another question's words would tell. */
  readonly event?: MemoryRowEvent;
}

interface Titles {
  readonly now: string;
  readonly known: string;
  readonly told: string;
}

/** @param knownAt what the ledger knew: mostly the moment itself */
export function titlesOf(language: Language, at: string, knownAt: string): Titles {
  const time = shownTime(at);
  const known = shownTime(knownAt);
  const elsewhere = known !== time;
  return language === 'zh'
    ? {
        now: '现在的事实',
        known: `今天所知的 ${time} 的事实`,
        told: elsewhere ? `账本在 ${known} 对 ${time} 会给出的回答` : `账本在 ${time} 会给出的回答`,
      }
    : {
        now: 'True now',
        known: `True at ${time}, by what is known today`,
        told: elsewhere
          ? `What this ledger would have answered about ${time} at ${known}`
          : `What this ledger would have answered at ${time}`,
      };
}

/** Three readings of one question, and why each memory stands otherwise in them. */
interface Compared {
  readonly listed: Listed;
  /** The moment that is asked about: ISO. */
  readonly at: string;
  readonly differences: readonly Difference[];
}

/** How the readings differ and why, made from columns: no model has a part in it. That they agree is said of readings that list the same. */
export function sentencesOf(
  language: Language,
  compared: Compared,
  rowOf: (event: MemoryRowEvent) => AuditRow | undefined,
): string[] {
  const say = language === 'zh' ? chinese : english;
  const how = differencesBetween(compared.listed, language);
  if (how.length === 0) return [say.agree];
  const why = compared.differences.map((difference) =>
    difference.what === 'world'
      ? world(say, difference, compared)
      : say.knowledge(difference, difference.event && rowOf(difference.event), compared.listed.told.length > 0),
  );
  return [...how, ...why.filter((sentence) => sentence !== undefined)];
}

/** Why what is known of that time and what is true now differ in a memory; undefined where nothing can be told for sure. */
function world(say: Sentences, { known, now }: Difference, { listed, at }: Compared): string | undefined {
  if (known) {
    if (now?.id === known.id && known.valid_to !== undefined) return say.replaced(known, known.valid_to, now);
    return say.over(known, listed.now.length > 0);
  }
  if (!now) return undefined;
  const moment = Date.parse(at);
  if (Date.parse(now.valid_from) > moment) return say.later(now);
  return now.valid_to === undefined || Date.parse(now.valid_to) > moment ? say.outranked(now) : undefined;
}

interface Sentences {
  readonly agree: string;
  replaced(known: MemoryItem, until: string, now: MemoryItem): string;
  /** @param isAnswered whether anything else answers the question now */
  over(known: MemoryItem, isAnswered: boolean): string;
  later(now: MemoryItem): string;
  outranked(now: MemoryItem): string;
  /** @param wasAnswered whether the ledger would have answered with anything then */
  knowledge(difference: Difference, row: AuditRow | undefined, wasAnswered: boolean): string;
}

const english: Sentences = {
  agree: 'All three readings agree.',
  replaced: (known, until, now) =>
    `${quoted(known, 'en')} was true until ${shownTime(until)}; since ${shownTime(now.valid_from)} it is ${quoted(now, 'en')}.`,
  over(known, isAnswered) {
    const was = quoted(known, 'en');
    if (isAnswered)
      return known.valid_to
        ? `${was} was true until ${shownTime(known.valid_to)}, and is not among what answers the question now.`
        : `${was} was true then, and is not among what answers the question now.`;
    return known.valid_to
      ? `${was} was true until ${shownTime(known.valid_to)}, and nothing that answers the question took its place.`
      : `${was} was true then, and does not answer the question now.`;
  },
  later: (now) =>
    `${quoted(now, 'en')} is true since ${shownTime(now.valid_from)}, which is after the time asked about.`,
  outranked: (now) =>
    `${quoted(now, 'en')} was true at that time as well, but among what was true then it does not rank high enough to be listed.`,
  knowledge({ known, told }, row, wasAnswered) {
    const said = told
      ? `this ledger said ${quoted(told, 'en')}`
      : wasAnswered
        ? 'this was not among what this ledger answered'
        : 'this ledger knew nothing that answers the question';
    if (!row)
      return `At that time ${said}; what it says today of that time ranks otherwise, though nothing was recorded of it since.`;
    const who = `On ${shownTime(row.recorded_at!)} ${writer(row, 'with')}`;
    if (row.change === 'added' || row.change === 'revised')
      return `${who} recorded ${quoted(row, 'en')}, ${true_(row, 'en')}${late(row, 'en')}. Until then ${said}.`;
    const why = row.why ? `, because: ${short(row.why)}` : ', without a reason';
    return `${who} ${done.en[row.change!] ?? 'changed'} ${quoted(known ?? told!, 'en')}${why}. Until then ${said}.`;
  },
};

const chinese: Sentences = {
  agree: '三种读法一致。',
  replaced: (known, until, now) =>
    `${quoted(known, 'zh')}的有效期到 ${shownTime(until)} 为止；自 ${shownTime(now.valid_from)} 起是${quoted(now, 'zh')}。`,
  over(known, isAnswered) {
    const was = quoted(known, 'zh');
    if (isAnswered)
      return known.valid_to
        ? `${was}的有效期到 ${shownTime(known.valid_to)} 为止，不在现在的回答之中。`
        : `${was}当时为真，不在现在的回答之中。`;
    return known.valid_to
      ? `${was}的有效期到 ${shownTime(known.valid_to)} 为止，此后没有能回答这个问题的内容。`
      : `${was}当时为真，现在已不能回答这个问题。`;
  },
  later: (now) => `${quoted(now, 'zh')}自 ${shownTime(now.valid_from)} 起为真，晚于所问的时间。`,
  outranked: (now) => `${quoted(now, 'zh')}在当时也为真，但在当时的事实中排名不够靠前，没有列出。`,
  knowledge({ known, told }, row, wasAnswered) {
    const said = told
      ? `账本的回答是${quoted(told, 'zh')}`
      : wasAnswered
        ? '账本的回答里没有这一条'
        : '账本里没有能回答这个问题的内容';
    if (!row) return `当时${said}；此后没有新的记录，只是排序不同。`;
    const who = `${shownTime(row.recorded_at!)}，${writer(row, '通过')}`;
    if (row.change === 'added' || row.change === 'revised')
      return `${who} 记录了${quoted(row, 'zh')}，${true_(row, 'zh')}${late(row, 'zh')}。在此之前，${said}。`;
    const why = row.why ? `，原因：${short(row.why)}` : '，未说明原因';
    return `${who} ${done.zh[row.change!] ?? '更改了'}${quoted(known ?? told!, 'zh')}${why}。在此之前，${said}。`;
  },
};

const done: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    forgotten: 'forgot',
    restored: 'restored',
    archived: 'archived',
    quarantined: 'held back for review',
    released: 'released after review',
    rated: 'rated',
    erased: 'erased',
  },
  zh: {
    forgotten: '撤回了',
    restored: '恢复了',
    archived: '归档了',
    quarantined: '送审了',
    released: '审核后放行了',
    rated: '评价了',
    erased: '删除了',
  },
};

function writer({ principal, agent }: AuditRow, by: string): string {
  return agent ? `${short(principal!)} ${by} ${short(agent)}` : short(principal!);
}

function true_({ valid_from, valid_to }: AuditRow, language: Language): string {
  const from = shownTime(valid_from!);
  if (language === 'zh') return valid_to ? `有效期为 ${from} 至 ${shownTime(valid_to)}` : `自 ${from} 起为真`;
  return valid_to ? `true from ${from} to ${shownTime(valid_to)}` : `true since ${from}`;
}

/** How long after it became true it was recorded, where that is more than a minute. */
function late({ recorded_at, valid_from }: AuditRow, language: Language): string {
  const millis = Date.parse(recorded_at!) - Date.parse(valid_from!);
  if (millis < 60_000) return '';
  const length = lengthOfTime(millis, language);
  return language === 'zh' ? `（在此之后 ${length}才记录）` : ` (${length} after it became so)`;
}
