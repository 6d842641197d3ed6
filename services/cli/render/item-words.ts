import type { MemoryItem } from '#contract/memory-item.js';
import type { Language } from '#query/words/language.js';
import { moment, stretch } from './moment.js';

/** What is said of an item below its text, in the language of the question. Ids and names stay as they are. */
interface ItemWords {
  status(status: MemoryItem['status']): string;
  kind(kind: MemoryItem['kind']): string;
  key(key: string): string;
  valid(from: string | undefined, to: string | undefined): string;
  recorded(at: string, who: string, isImported: boolean): string;
  score(score: string): string;
  version(id: string, version: number): string;
  also(ids: string): string;
  readonly nothing: string;
  note(note: string): string;
  basis(basis: string): string;
}

const statuses: Readonly<Record<MemoryItem['status'], string>> = {
  current: '当前有效',
  superseded: '已被取代',
  retracted: '已撤回',
  expired: '已过期',
  archived: '已归档',
  quarantined: '待审核',
  erased: '已删除',
};

const kinds: Readonly<Record<MemoryItem['kind'], string>> = {
  working: '工作记忆',
  episodic: '情景记忆',
  semantic: '语义记忆',
  experience: '经验',
};

export const itemWords: Readonly<Record<Language, ItemWords>> = {
  en: {
    status: (status) => status.toUpperCase(),
    kind: (kind) => kind,
    key: (key) => `key ${key}`,
    valid: (from, to) => `true ${stretch(from, to)}`,
    recorded: (at, who, isImported) => `${isImported ? 'imported' : 'written'} ${moment(at)} by ${who}`,
    score: (score) => `score ${score}`,
    version: (id, version) => `id ${id}, version ${version}`,
    also: (ids) => `says the same as ${ids}`,
    nothing: '(nothing)',
    note: (note) => `Note: ${note}`,
    basis: (basis) => `basis ${basis}`,
  },
  zh: {
    status: (status) => statuses[status],
    kind: (kind) => kinds[kind],
    key: (key) => `键 ${key}`,
    valid: (from, to) => {
      if (from && to) return `有效期 ${moment(from)} 至 ${moment(to)}`;
      if (from) return `自 ${moment(from)} 起有效`;
      return to ? `有效至 ${moment(to)}` : '始终有效';
    },
    recorded: (at, who, isImported) => `${moment(at)} 由 ${who} ${isImported ? '导入' : '写入'}`,
    score: (score) => `得分 ${score}`,
    version: (id, version) => `编号 ${id}，第 ${version} 版`,
    also: (ids) => `内容与 ${ids} 相同`,
    nothing: '（无）',
    note: (note) => `注：${note}`,
    basis: (basis) => `依据 ${basis}`,
  },
};
