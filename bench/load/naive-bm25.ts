/**
 * The baseline: BM25 as it is written in an afternoon. Words and Han characters, one map, everything current, every match
 * sorted; no time, no filters, no sealing, nothing on disk.
 */
export function naiveBm25(): {
  add(text: string): void;
  search(question: string, limit?: number): { doc: number; score: number }[];
} {
  const postings = new Map<string, { doc: number; count: number }[]>();
  const lengths: number[] = [];
  let total = 0;
  return {
    add(text) {
      const counts = new Map<string, number>();
      const words = cut(text);
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const [word, count] of counts) {
        const found = postings.get(word);
        if (found) found.push({ doc: lengths.length, count });
        else postings.set(word, [{ doc: lengths.length, count }]);
      }
      lengths.push(words.length);
      total += words.length;
    },
    search(question, limit = 5) {
      const scores = new Map<number, number>();
      const average = total / lengths.length;
      for (const word of cut(question)) {
        const found = postings.get(word) ?? [];
        const idf = Math.log(1 + (lengths.length - found.length + 0.5) / (found.length + 0.5));
        for (const { doc, count } of found) {
          const part = (idf * count * 1.9) / (count + 0.9 * (0.8 + (0.2 * lengths[doc]!) / average));
          scores.set(doc, (scores.get(doc) ?? 0) + part);
        }
      }
      return [...scores]
        .map(([doc, score]) => ({ doc, score }))
        .sort((one, other) => other.score - one.score)
        .slice(0, limit);
    },
  };
}

function cut(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+|\p{Script=Han}/gu) ?? [];
}
