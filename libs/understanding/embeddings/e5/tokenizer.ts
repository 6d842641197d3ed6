import type { ModelPack } from './pack.js';

/** Pieces with a meaning of their own; the words of a text never become one of them. */
const begin = 0;
const end = 2;
const unknown = 3;
const firstPlain = 4;

/** SentencePiece writes spaces so, and one in front of each text. */
const space = '\u2581';

/** How much worse than the worst piece a character is that none knows. */
const unknownPenalty = 10;

export interface Tokenizer {
  /** Numbers of the pieces that a text is best cut into, both ends included, at most `limit` in all. */
  pieces(text: string, limit: number): number[];
}

interface Vocabulary {
  readonly numbers: ReadonlyMap<string, number>;
  readonly scores: Float32Array;
  /** Characters of the longest piece. */
  readonly longest: number;
  readonly unknownScore: number;
}

/** XLM-R's tokenizer: characters are normalized one by one, then cut so that the sum of scores (Unigram) is greatest. */
export function createTokenizer(pack: ModelPack): Tokenizer {
  const vocabulary = readVocabulary(pack);
  const normalization = readNormalization(pack.section('normalization'));
  return {
    pieces(text, limit) {
      // What lies behind the longest pieces that could fill the limit is never seen.
      const seen = text.slice(0, limit * vocabulary.longest * 2);
      return [begin, ...cut(normalized(seen, normalization), vocabulary).slice(0, limit - 2), end];
    },
  };
}

/** Characters as pieces spell them: mapped, spaces once, each as ▁, and one in front. */
function normalized(text: string, normalization: ReadonlyMap<string, string>): string[] {
  let mapped = '';
  for (const character of text.toWellFormed()) mapped += normalization.get(character) ?? character;
  const once = mapped.replace(/ {2,}/g, ' ').replaceAll(' ', space);
  return Array.from(once.startsWith(space) ? once : space + once);
}

/** Viterbi: the best way to each place, from the best ways to the places before it. Sums are float32, as in the original. */
function cut(characters: readonly string[], { numbers, scores, longest, unknownScore }: Vocabulary): number[] {
  const count = characters.length;
  const best = new Float32Array(count + 1).fill(-1e30);
  const piece = new Int32Array(count + 1);
  const from = new Int32Array(count + 1);
  best[0] = 0;
  const reach = (at: number, start: number, score: number, number: number): void => {
    const sum = Math.fround(best[start]! + score);
    if (sum <= best[at]!) return;
    best[at] = sum;
    piece[at] = number;
    from[at] = start;
  };
  for (let start = 0; start < count; start++) {
    let candidate = '';
    for (let at = start + 1; at <= count && at - start <= longest; at++) {
      candidate += characters[at - 1]!;
      const number = numbers.get(candidate);
      if (number !== undefined) reach(at, start, scores[number]!, number);
    }
    reach(start + 1, start, unknownScore, unknown);
  }
  const found: number[] = [];
  for (let at = count; at > 0; at = from[at]!) found.push(piece[at]!);
  return found.reverse();
}

function readVocabulary(pack: ModelPack): Vocabulary {
  const bytes = Buffer.from(pack.section('pieces'));
  const scores = new Float32Array(Uint8Array.from(pack.section('scores')).buffer);
  const numbers = new Map<string, number>();
  let longest = 1;
  let lowest = Number.POSITIVE_INFINITY;
  for (let number = 0, at = 0; number < pack.pieces; number++) {
    const length = bytes[at]!;
    const text = bytes.toString('utf8', at + 1, at + 1 + length);
    at += 1 + length;
    lowest = Math.min(lowest, scores[number]!);
    if (number < firstPlain) continue;
    numbers.set(text, number);
    longest = Math.max(longest, Array.from(text).length);
  }
  return { numbers, scores, longest, unknownScore: lowest - unknownPenalty };
}

function readNormalization(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const map = new Map<string, string>();
  for (let at = 0; at < bytes.byteLength; ) {
    const count = view.getUint8(at + 4);
    const to = Array.from({ length: count }, (_, index) => view.getUint32(at + 5 + index * 4, true));
    map.set(String.fromCodePoint(view.getUint32(at, true)), String.fromCodePoint(...to));
    at += 5 + count * 4;
  }
  return map;
}
