/** Who says a turn, as it is written there, and where what is said begins. */
export interface Spoken {
  readonly name?: string;
  readonly from: number;
}

// `Ann: …`, `Ann Lee: …`, `user: …`; `王伟：…`, `安娜·卡列尼娜：…`.
const latinName =
  /^\s*((?:\p{Lu}[\p{L}\p{M}\p{N}'’._-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,2})|user|assistant|human|system)\s?[:：]\s/u;
const hanName = /^\s*(\p{Script=Han}{1,4}(?:·\p{Script=Han}{1,5})?)\s?[:：]/u;

/** What stands before a colon and is nobody. */
const labels = new Set(
  (
    'note notes todo fixme hint tip warning error info debug summary result results update decision action reminder ps re fw fwd ' +
    'question answer example task goal plan status problem solution step fix bug title subject date time today yesterday ' +
    '注意 备注 提醒 问题 问 答 答案 说明 例如 比如 总结 结论 结果 地址 时间 日期 电话 标题 主题 原因 目标 计划 状态 建议 任务 更新 决定'
  ).split(' '),
);

/**
 * Who says a text: as its metadata have it, else, of a text that is part of a session, as it begins (`Ann: …`, `王伟：…`).
 * @param metadata JSON text of an object
 */
export function spokenBy(text: string, metadata: string | undefined, inSession: boolean): Spoken {
  const given = metadata === undefined ? undefined : speakerIn(metadata);
  if (given !== undefined) return { name: given, from: behindName(text, given) };
  if (!inSession) return { from: 0 };
  const found = latinName.exec(text) ?? hanName.exec(text);
  const name = found?.[1];
  if (!found || name === undefined || labels.has(name.toLowerCase())) return { from: 0 };
  return { name, from: found[0].length };
}

function speakerIn(metadata: string): string | undefined {
  // Most have none: looking costs less than taking all of it apart.
  if (!metadata.includes('"speaker"')) return undefined;
  const { speaker } = JSON.parse(metadata) as { speaker?: unknown };
  return typeof speaker === 'string' && speaker.trim() !== '' ? speaker : undefined;
}

/** Imports put the name before what was said. */
function behindName(text: string, name: string): number {
  if (!text.startsWith(name)) return 0;
  const rest = /^\s?[:：]\s?/.exec(text.slice(name.length, name.length + 3));
  return rest ? name.length + rest[0].length : 0;
}
