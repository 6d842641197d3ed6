import { isUtf8 } from 'node:buffer';

export type Line = { readonly line: number } & ({ readonly text: string } | { readonly problem: string });

/** A longer line is no record of a memory, and would have to be held whole. */
const longestLine = 16 * 1024 * 1024; // bytes

/**
 * The lines of a file that are not blank, numbered from 1. Only a line feed ends a line: readline's own rules would cut JSON
 * at U+2028, which may stand in its strings.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  const take = (): Line | undefined => {
    const tooLong = size > longestLine;
    const bytes = tooLong ? Buffer.alloc(0) : Buffer.concat(parts);
    parts = [];
    size = 0;
    if (tooLong) return { line, problem: `The line is longer than ${longestLine / 1024 / 1024} MiB.` };
    if (!isUtf8(bytes)) return { line, problem: 'The line is not UTF-8.' };
    const text = bytes.toString('utf8');
    const bare = line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
    return bare.trim() === '' ? undefined : { line, text: bare };
  };
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : Buffer.from(chunk);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      parts.push(bytes.subarray(from, end));
      size += end - from;
      from = end + 1;
      const taken = take();
      line += 1;
      if (taken) yield taken;
    }
    size += bytes.length - from;
    if (size <= longestLine) parts.push(bytes.subarray(from));
  }
  const last = take();
  if (last) yield last;
}
