/** Characters of one memory's text in a rendering; the structured answer always has all of it. */
const longestText = 4_000;

/** Content for reading: objects as JSON, cut when it is long. */
export function shownContent(content: string | Record<string, unknown>, longest = longestText): string {
  const text = printable(typeof content === 'string' ? content : JSON.stringify(content)).trim();
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}… (${grouped(text.length)} characters in all)`;
}

/** Text for reading: what could mislead a terminal or a reader's eye is spelled out, as `\\u001b`. */
export function printable(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters but tab and newline, lone surrogates, and marks that reorder what follows them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unprintable = /[\0-\x08\v-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069\uD800-\uDFFF]/gu;

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

/** Bytes in words: `512 B`, `1.5 MiB`. */
export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** Lines after the first are indented under it. */
export function indented(text: string, by: string): string {
  return text.replace(/\r?\n/g, `\n${by}`);
}
