/** Characters of one memory's text in a rendering; the structured answer always has all of it. */
const longestText = 4_000;

/** Content for reading: objects as JSON, without characters that a terminal or a reader's eye could be misled by. */
export function shownContent(content: string | Record<string, unknown>, longest = longestText): string {
  const text = (typeof content === 'string' ? content : JSON.stringify(content)).replace(unprintable, '\uFFFD').trim();
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}… (${grouped(text.length)} characters in all)`;
}

/** Control characters but tab, newline and return, lone surrogates, and marks that reorder what follows them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unprintable = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069\uD800-\uDFFF]/gu;

/** `2026-03-02` for a midnight in UTC, else `2026-03-02 14:05 UTC`. */
export function shownTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const [day = '', time = ''] = at.toISOString().split('T');
  return time.startsWith('00:00:00.000') ? day : `${day} ${time.slice(0, 5)} UTC`;
}

/** `1 memory`, `2 memories` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `1,200`: Number's own toLocaleString costs more than the rest of an answer. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Lines after the first are indented under it. */
export function indented(text: string, by: string): string {
  return text.replace(/\r?\n/g, `\n${by}`);
}
