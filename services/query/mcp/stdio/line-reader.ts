/** What a line turned out to be: text, or too long to be kept (its first and last bytes, to find out what it was). */
export type Line = { readonly text: string } | { readonly head: string; readonly tail: string; readonly bytes: number };

/** Bytes of a line that is too long which are kept from its start and its end. */
const keptOfTooLong = 512;

export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream ended: what stands after the last newline is a line, too. */
  end(): void;
}

/**
 * Cuts a byte stream into lines. Chunks of an unfinished line are kept apart and joined once, since joining on each chunk
 * makes a line of 32 MiB cost gigabytes of copying.
 * @param maxBytes a longer line is not kept, and handed over as head and tail when it ends
 */
export function lineReader(maxBytes: number, onLine: (line: Line) => void): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;

  const add = (part: Buffer) => {
    bytes += part.length;
    parts.push(part);
    if (bytes <= maxBytes) return;
    const joined = Buffer.concat(parts);
    if (joined.length > 2 * keptOfTooLong)
      parts = [Buffer.from(joined.subarray(0, keptOfTooLong)), Buffer.from(joined.subarray(-keptOfTooLong))];
  };
  const end = () => {
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    const text = whole?.toString('utf8') ?? '';
    if (bytes > maxBytes) onLine({ head: text.slice(0, keptOfTooLong), tail: text.slice(-keptOfTooLong), bytes });
    else if (text.trim() !== '') onLine({ text });
    parts = [];
    bytes = 0;
  };

  return {
    push(chunk) {
      let from = 0;
      for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, newline));
        end();
        from = newline + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    end,
  };
}
