/**
 * Docs per block of postings. A write rewrites the block it appends to, a question reads all blocks of its terms:
 * see docs/decisions for what was measured.
 */
export const docsPerBlock = 4096;

/** A doc in which a term occurs, and how often. */
export interface Posting {
  readonly doc: number;
  readonly tf: number;
}

export function blockOf(doc: number): number {
  return Math.floor(doc / docsPerBlock);
}

/**
 * A block with one more posting: the distance from the last doc (from the block's first doc for the first posting), then
 * how often, both as LEB128 varints; the distance of a term that occurs once is doubled and nothing follows it.
 * @param last the block's last doc so far; undefined for an empty block
 */
export function appendPosting(bytes: Uint8Array, last: number | undefined, { doc, tf }: Posting): Uint8Array {
  const distance = doc - (last ?? blockOf(doc) * docsPerBlock - 1);
  if (distance < 1 || tf < 1) throw new RangeError(`posting ${doc} × ${tf} cannot follow doc ${last}`);
  const once = tf === 1;
  const head = distance * 2 + (once ? 0 : 1);
  const headLength = varintLength(head);
  const grown = new Uint8Array(bytes.length + headLength + (once ? 0 : varintLength(tf)));
  grown.set(bytes);
  const at = writeVarint(grown, bytes.length, head);
  if (!once) writeVarint(grown, at, tf);
  return grown;
}

/** Calls `each` for every posting of a block, ascending by doc. */
export function eachPosting(block: number, bytes: Uint8Array, each: (doc: number, tf: number) => void): void {
  let doc = block * docsPerBlock - 1;
  for (let at = 0; at < bytes.length; ) {
    let head = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      head |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    doc += head >> 1;
    let tf = 1;
    if (head & 1) {
      tf = 0;
      shift = 0;
      do {
        byte = bytes[at++]!;
        tf |= (byte & 0x7f) << shift;
        shift += 7;
      } while (byte & 0x80);
    }
    each(doc, tf);
  }
}

function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : 4;
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let index = at;
  while (rest >= 0x80) {
    bytes[index++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[index++] = rest;
  return index;
}
