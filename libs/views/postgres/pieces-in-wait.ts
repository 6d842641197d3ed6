/** Hex digits of a term as postings have it: two whole numbers. */
const digits = 16;
/** What a row is written with in COPY's text form, before each value in hex. */
const hexMark = '\\\\x';
/** Bytes that are handed on at once. */
const stretch = 64 * 1024;

/**
 * Pieces of blobs that wait to be written, put together by the row that they go to. They are kept in arrays of numbers and not as strings: of a large
 * ledger half a million rows wait, and collecting garbage would go through them again and again.
 */
export interface PiecesInWait {
  /** How many there are. */
  readonly size: number;
  /** @param before the values of the row's other columns, in COPY's text form; each with a tab behind it */
  group(before: string): number;
  /** Puts a piece (hex) behind those with its group and term (hex). */
  append(group: number, term: string, piece: string): void;
  /** All rows, as COPY reads them: the group's columns, then term and blob. */
  rows(): Generator<Buffer>;
}

export function piecesInWait(): PiecesInWait {
  const groups: Buffer[] = [];
  const byText = new Map<string, number>();
  let size = 0;
  // A table of rows, found by group and term; at most half of it is taken.
  let taken = 0;
  let capacity = 1 << 12;
  let [high, low, group, first, last] = [0, 0, 0, 0, 0].map(() => new Int32Array(capacity)) as Columns;
  // Pieces, those of a row chained.
  let [next, start, length] = [0, 0, 0].map(() => new Int32Array(1 << 12)) as [Int32Array, Int32Array, Int32Array];
  let bytes = Buffer.allocUnsafe(1 << 16);
  let used = 0;
  /** Terms of another length, which are no postings'. */
  const others = new Map<string, { group: number; term: string; pieces: string[] }>();

  function grow(): void {
    const [h, l, g, f, t] = [high, low, group, first, last];
    const former = capacity;
    capacity *= 2;
    [high, low, group, first, last] = [0, 0, 0, 0, 0].map(() => new Int32Array(capacity)) as Columns;
    for (let at = 0; at < former; at++) {
      if (f[at] === 0) continue;
      const to = slotOf(g[at]!, h[at]!, l[at]!);
      high[to] = h[at]!;
      low[to] = l[at]!;
      group[to] = g[at]!;
      first[to] = f[at]!;
      last[to] = t[at]!;
    }
  }

  /** Where a row stands, or would. `first` counts pieces from 1: 0 is an empty place. */
  function slotOf(of: number, h: number, l: number): number {
    let at = (Math.imul(h ^ Math.imul(of, 0x9e3779b1), 0x85ebca6b) ^ l) & (capacity - 1);
    while (first[at] !== 0 && (low[at] !== l || high[at] !== h || group[at] !== of)) at = (at + 1) & (capacity - 1);
    return at;
  }

  function put(piece: string): number {
    size++;
    if (size >= next.length) [next, start, length] = [doubled(next), doubled(start), doubled(length)];
    if (used + piece.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, used + piece.length));
      larger.set(bytes.subarray(0, used));
      bytes = larger;
    }
    start[size] = used;
    length[size] = piece.length;
    for (let at = 0; at < piece.length; at++) bytes[used + at] = piece.charCodeAt(at);
    used += piece.length;
    return size;
  }

  return {
    get size() {
      return size;
    },
    group(before) {
      let found = byText.get(before);
      if (found === undefined) {
        found = groups.push(Buffer.from(before, 'utf8')) - 1;
        byText.set(before, found);
      }
      return found;
    },
    append(of, term, piece) {
      if (term.length !== digits) {
        const key = `${of} ${term}`;
        const other = others.get(key);
        if (other) other.pieces.push(piece);
        else others.set(key, { group: of, term, pieces: [piece] });
        size++;
        return;
      }
      const [h, l] = [number(term, 0), number(term, 8)];
      const at = slotOf(of, h, l);
      const before = first[at] === 0 ? 0 : last[at]!;
      const added = put(piece);
      next[added] = 0;
      last[at] = added;
      if (before) {
        next[before] = added;
        return;
      }
      high[at] = h;
      low[at] = l;
      group[at] = of;
      first[at] = added;
      if (++taken * 2 > capacity) grow();
    },
    *rows() {
      let out = Buffer.allocUnsafe(2 * stretch);
      let end = 0;
      for (let at = 0; at < capacity; at++) {
        if (first[at] === 0) continue;
        const before = groups[group[at]!]!;
        let needed = before.length + digits + 2 * hexMark.length + 2;
        for (let piece = first[at]!; piece; piece = next[piece]!) needed += length[piece]!;
        if (end + needed > out.length) {
          yield out.subarray(0, end);
          out = Buffer.allocUnsafe(Math.max(2 * stretch, needed));
          end = 0;
        }
        out.set(before, end);
        end = text(out, end + before.length, hexMark);
        end = hex(out, hex(out, end, high[at]!), low[at]!);
        out[end++] = tab;
        end = text(out, end, hexMark);
        for (let piece = first[at]!; piece; piece = next[piece]!)
          for (let from = start[piece]!, to = from + length[piece]!; from < to; from++) out[end++] = bytes[from]!;
        out[end++] = line;
      }
      if (end) yield out.subarray(0, end);
      for (const { group: of, term, pieces } of others.values())
        yield Buffer.concat([groups[of]!, Buffer.from(`${hexMark}${term}\t${hexMark}${pieces.join('')}\n`, 'latin1')]);
    },
  };
}

type Columns = [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

const [tab, line] = [9, 10];

function doubled(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** Eight hex digits as a whole number of 32 bits. */
function number(term: string, from: number): number {
  let found = 0;
  for (let at = from; at < from + 8; at++) {
    const code = term.charCodeAt(at);
    found = (found << 4) | (code < 58 ? code - 48 : code - 87);
  }
  return found;
}

const hexDigits = Buffer.from('0123456789abcdef', 'latin1');

function hex(out: Buffer, end: number, of: number): number {
  for (let shift = 28; shift >= 0; shift -= 4) out[end++] = hexDigits[(of >>> shift) & 15]!;
  return end;
}

function text(out: Buffer, from: number, of: string): number {
  for (let at = 0; at < of.length; at++) out[from + at] = of.charCodeAt(at);
  return from + of.length;
}
