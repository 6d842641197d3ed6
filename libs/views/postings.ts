/**
 * Docs per block of postings: as many as 12 bits number. A write rewrites the block it appends to and a question reads all
 * blocks of its terms: docs/decisions/0009 has 1,024 measured against it.
 */
export const docsPerBlock = 4096;

/** Counts from here on stand behind the posting's two bytes. */
const countBehind = 15;

export function blockOf(doc: number): number {
  return Math.floor(doc / docsPerBlock);
}

/**
 * One posting: 12 bits of the doc's number in its block and 4 bits of how often the term occurs there, big-endian; a count
 * of 15 or more is followed by what it has above 15, as a LEB128 varint. A block is its postings, one behind the other, in
 * ascending order: so appending needs nothing of what is there, and gives the same bytes whatever the batches were.
 * @param tf at least 1
 */
export function packPosting(doc: number, tf: number): Uint8Array {
  const low = Math.min(tf, countBehind);
  const head = ((doc % docsPerBlock) << 4) | low;
  if (low < countBehind) return Uint8Array.of(head >> 8, head & 0xff);
  const bytes = [head >> 8, head & 0xff];
  let rest = tf - countBehind;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** The block without the postings of these docs: the bytes that it would have if they had never been there. */
export function withoutDocs(block: number, bytes: Uint8Array, gone: ReadonlySet<number>): Uint8Array {
  const first = block * docsPerBlock;
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const from = at;
    const head = (bytes[at]! << 8) | bytes[at + 1]!;
    at += 2;
    if ((head & 0xf) === countBehind) while (bytes[at++]! & 0x80);
    if (gone.has(first + (head >> 4))) continue;
    kept.set(bytes.subarray(from, at), length);
    length += at - from;
  }
  return kept.subarray(0, length);
}

/** Calls `each` for every posting of a block, ascending by doc. */
export function eachPosting(block: number, bytes: Uint8Array, each: (doc: number, tf: number) => void): void {
  const first = block * docsPerBlock;
  for (let at = 0; at < bytes.length; ) {
    const head = (bytes[at++]! << 8) | bytes[at++]!;
    let tf = head & 0xf;
    if (tf === countBehind) {
      let unit = 1;
      let byte: number;
      do {
        byte = bytes[at++]!;
        tf += (byte & 0x7f) * unit;
        unit *= 0x80;
      } while (byte & 0x80);
    }
    each(first + (head >> 4), tf);
  }
}
