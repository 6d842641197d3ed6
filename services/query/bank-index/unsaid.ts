import type { MemoryOrigin } from '#events/version-fields.js';

/** How much a writer is believed when nothing else is known, by origin (docs/decisions). */
export const trustByOrigin = { user: 1, agent: 0.8, tool: 0.6, import: 0.5, system: 1 } as const satisfies Record<
  MemoryOrigin,
  number
>;
export const defaultImportance = 0.5;
export const defaultConfidence = 1;
