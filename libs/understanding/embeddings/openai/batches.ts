export interface BatchLimits {
  readonly texts: number;
  readonly characters: number;
}

/** Cuts a list into pieces, in order, each with at most so many texts and characters; a text that is longer alone is a piece by itself. */
export function batchesOf(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let current: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (current.length > 0 && (current.length >= limits.texts || characters + text.length > limits.characters)) {
      batches.push(current);
      current = [];
      characters = 0;
    }
    current.push(text);
    characters += text.length;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

/** The beginning of a text, at most so many UTF-16 units; never half of a character. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}
