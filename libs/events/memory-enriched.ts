import { z } from 'zod';
import { defineEvent, type EventOf, type Upcaster } from './define-event.js';

/** From and to in UTF-16 units of the version's text, half-open: the words that a finding rests on. */
const words = z.tuple([z.int().min(0), z.int().min(1)]);

/** Schema 1 said neither what the reader knew of the memory nor what it cost: any erasure ends what it found. */
const withoutCost: Upcaster = {
  from: 1,
  up: ({ data, content }) => ({ data: { ...data, knew: 0, tokens: { read: 0, written: 0 } }, content }),
};

/**
 * A language model read a version of a memory. Recorded, since its answer cannot be computed again; what rules find can, and is not
 * (docs/decisions/0023). It stands in the stream `understanding-<memory>`, so that it never conflicts with a writer, and is sealed with
 * the memory's own secret, so that it ends with it. Of several about one version the last counts.
 */
export const memoryEnriched = defineEvent(
  'MemoryEnriched',
  2,
  {
    data: z.strictObject({
      memoryId: z.string(),
      /** The version that was read. */
      version: z.int().min(1),
      /** Revision of the memory's own stream that it was read at: an erasure behind it ends what was found, whichever is stored first. */
      knew: z.int().min(0),
      /** What reading took, as the model's server counts. */
      tokens: z.strictObject({ read: z.int().min(0), written: z.int().min(0) }),
      /** Version of the rules that the answer was checked by. */
      rules: z.int().min(1),
      /** Fingerprint of the model and of what it was asked. */
      model: z.string().regex(/^[0-9a-f]{16}$/),
    }),
    content: z.strictObject({
      entities: z.array(z.strictObject({ name: z.string().min(1), kind: z.string().min(1), words })),
      relations: z.array(
        z.strictObject({
          subject: z.string().min(1),
          relation: z.string().min(1),
          object: z.string().min(1),
          state: z.enum(['holds', 'was', 'not', 'planned']),
          words,
        }),
      ),
      dates: z.array(
        z.strictObject({ from: z.string(), to: z.string(), grain: z.string().min(1), exact: z.boolean(), words }),
      ),
    }),
  },
  { upcasters: [withoutCost] },
);
export type MemoryEnriched = EventOf<typeof memoryEnriched>;
