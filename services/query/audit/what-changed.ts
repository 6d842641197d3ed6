import type { AuditChange } from '#contract/audit.js';
import { standing } from '../bank-index/visibility.js';

/** How a memory stands at a basis: by which of its versions, and as what. */
export interface Standing {
  readonly doc: number;
  readonly version: number;
  /** One of `standing`. */
  readonly code: number;
}

const broughtBy: Readonly<Record<number, AuditChange>> = {
  [standing.retracted]: 'forgotten',
  [standing.archived]: 'archived',
  [standing.quarantined]: 'quarantined',
};

/**
 * What a difference of two bases is called, from how a memory stood and stands and from its events in between; undefined where there is
 * none: what was forgotten and restored again is as it was.
 * @param before undefined where it was not known yet
 * @param types of the events after the earlier basis, up to the later one
 */
export function whatChanged(
  before: Standing | undefined,
  after: Standing | undefined,
  types: readonly string[],
): AuditChange | undefined {
  const written = types.some((type) => type === 'MemoryRecorded' || type === 'MemoryRevised');
  if (!after) return undefined;
  // What was erased looks erased at every basis: only the event tells on which side of it one is.
  if (after.code === standing.erased) return types.includes('MemoryErased') ? 'erased' : undefined;
  if (!before || before.code === standing.erased) return written ? 'added' : undefined;
  const turned = broughtBy[after.code];
  if (turned) return before.code === after.code ? (written ? 'revised' : undefined) : turned;
  if (written) return 'revised';
  const wasAside = broughtBy[before.code] !== undefined;
  if (wasAside) return before.code === standing.quarantined ? 'released' : 'restored';
  if (before.code === after.code && before.doc === after.doc) return undefined;
  if (after.code === standing.current) return 'began';
  if (after.code === standing.expired) return before.code === standing.expired ? undefined : 'expired';
  return before.code === standing.current || before.code === standing.expired ? 'ended' : undefined;
}
