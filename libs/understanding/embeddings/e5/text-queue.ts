import type { EmbeddingRole } from '../embedder.js';

/** What somebody waits for, or what is made in the background. */
export type Lane = 'asked' | 'background';

export interface QueuedText {
  readonly text: string;
  readonly role: EmbeddingRole;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
}

/** Whoever computes: of each lane one text at a time. */
export interface InHand {
  readonly inHand: ReadonlySet<Lane>;
}

/** Texts that wait: what is asked goes before what is made in the background, each in the order it came. */
export interface TextQueue {
  add(text: QueuedText, lane: Lane): void;
  /** The lane whose turn it is; nothing when nothing waits. */
  lane(): Lane | undefined;
  /** The first of a lane, which waits no longer. */
  take(lane: Lane): QueuedText | undefined;
  remove(texts: ReadonlySet<QueuedText>): void;
  /** All that waited; the queue is empty then. */
  clear(): QueuedText[];
}

export function textQueue(): TextQueue {
  const lanes: Record<Lane, QueuedText[]> = { asked: [], background: [] };
  const inOrder = ['asked', 'background'] as const;
  return {
    add: (text, lane) => void lanes[lane].push(text),
    lane: () => inOrder.find((lane) => lanes[lane].length > 0),
    take: (lane) => lanes[lane].shift(),
    remove(texts) {
      for (const lane of inOrder) lanes[lane] = lanes[lane].filter((text) => !texts.has(text));
    },
    clear: () => inOrder.flatMap((lane) => lanes[lane].splice(0)),
  };
}

/** Of those that compute, who takes a text: one with nothing in hand, or one whose text of the background may be overtaken. */
export function whoTakes<T extends InHand>(all: readonly T[], lane: Lane): T | undefined {
  const free = all.find(({ inHand }) => inHand.size === 0);
  return free ?? (lane === 'asked' ? all.find(({ inHand }) => !inHand.has('asked')) : undefined);
}
