import type { EmbeddingRole } from '../embedder.js';

export interface QueuedText {
  readonly text: string;
  readonly role: EmbeddingRole;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
}

/** Texts that wait: what is asked goes before what is made in the background, each in the order it came. */
export interface TextQueue {
  add(text: QueuedText, background: boolean): void;
  next(): QueuedText | undefined;
  remove(texts: ReadonlySet<QueuedText>): void;
  /** All that waited; the queue is empty then. */
  clear(): QueuedText[];
}

export function textQueue(): TextQueue {
  let asked: QueuedText[] = [];
  let background: QueuedText[] = [];
  return {
    add: (text, isBackground) => void (isBackground ? background : asked).push(text),
    next: () => asked.shift() ?? background.shift(),
    remove(texts) {
      asked = asked.filter((text) => !texts.has(text));
      background = background.filter((text) => !texts.has(text));
    },
    clear() {
      const all = [...asked, ...background];
      asked = [];
      background = [];
      return all;
    },
  };
}
