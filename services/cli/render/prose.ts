import { printable } from '#query/mcp/render/shown.js';

/** Content as text: objects as JSON, with spaces to break at. Control characters are shown, never sent to the terminal. */
export function shown(content: string | Record<string, unknown>): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 1).replace(/\s*\n\s*/g, ' ');
  return printable(text);
}

/** One line of at most `width` columns of a terminal. */
export function oneLine(content: string | Record<string, unknown>, width: number): string {
  const text = shown(content).replace(/\s+/g, ' ').trim();
  if (columnsOf(text) <= width) return text;
  let room = Math.max(width - 1, 1);
  let kept = '';
  for (const character of text) {
    room -= columnsOf(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Characters of scripts like Chinese take two columns of a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += /[\u2e80-\uffef]/.test(character) ? 2 : 1;
  return columns;
}

/** Breaks at spaces, or between characters of scripts without spaces, and indents every line. */
export function wrapped(content: string | Record<string, unknown>, width: number, indent: string): string {
  const room = Math.max(width - indent.length, 20);
  return shown(content)
    .split('\n')
    .flatMap((line) => broken(line, room))
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n');
}

function broken(line: string, room: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const word of line.match(
    /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+/gu,
  ) ?? []) {
    const columns = /[\u2e80-\uffef]/.test(word) ? 2 : word.length;
    if (used + columns > room && current.trim()) {
      lines.push(current.trimEnd());
      current = '';
      used = 0;
      if (!word.trim()) continue;
    }
    current += word;
    used += columns;
  }
  lines.push(current.trimEnd());
  return lines;
}
