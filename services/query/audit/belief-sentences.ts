import type { AuditRow } from '#contract/audit.js';
import type { MemoryItem } from '#contract/memory-item.js';
import { printable, shownTime } from '../mcp/render/shown.js';
import { preview } from '../recall/preview.js';
import type { Language } from '../words/language.js';
import { lengthOfTime } from '../words/stretch-of-time.js';
import type { MemoryRowEvent } from './events-between.js';

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

/** Why the readings differ, made from columns: no model has a part in it. */
export function sentencesOf(
  language: Language,
  differences: readonly Difference[],
  rowOf: (event: MemoryRowEvent) => AuditRow | undefined,
): string[] {
  const say = language === 'zh' ? chinese : english;
  const sentences = differences.map((difference) =>
    difference.what === 'world'
      ? say.world(difference)
      : say.knowledge(difference, difference.event && rowOf(difference.event)),
  );
  return sentences.length > 0 ? sentences : [say.agree];
}

interface Sentences {
  readonly agree: string;
  world(difference: Difference): string;
  knowledge(difference: Difference, row: AuditRow | undefined): string;
}

const english: Sentences = {
  agree: 'All three readings agree.',
  world({ known, now }) {
    const was = quoted(known!, 'en');
    if (now?.id === known!.id && known!.valid_to)
      return `${was} was true until ${shownTime(known!.valid_to)}; since ${shownTime(now.valid_from)} it is ${quoted(now, 'en')}.`;
    return known!.valid_to
      ? `${was} was true until ${shownTime(known!.valid_to)}, and nothing that answers the question took its place.`
      : `${was} was true then, and does not answer the question now.`;
  },
  knowledge({ known, told }, row) {
    const said = told ? `this ledger said ${quoted(told, 'en')}` : 'this ledger knew nothing that answers the question';
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
  world({ known, now }) {
    const was = quoted(known!, 'zh');
    if (now?.id === known!.id && known!.valid_to)
      return `${was}的有效期到 ${shownTime(known!.valid_to)} 为止；自 ${shownTime(now.valid_from)} 起是${quoted(now, 'zh')}。`;
    return known!.valid_to
      ? `${was}的有效期到 ${shownTime(known!.valid_to)} 为止，此后没有能回答这个问题的内容。`
      : `${was}当时为真，现在已不能回答这个问题。`;
  },
  knowledge({ known, told }, row) {
    const said = told ? `账本的回答是${quoted(told, 'zh')}` : '账本里没有能回答这个问题的内容';
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

function quoted({ content }: { readonly content?: MemoryItem['content'] | undefined }, language: Language): string {
  if (content === undefined) return language === 'zh' ? '已被删除的内容' : 'what was erased';
  // The sentence around it has a full stop of its own.
  return `“${short(preview(content)).replace(/[.。]$/, '')}”`;
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

/** On one line, without what misleads an eye. */
function short(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
