import type { Answer } from '#test/support/built-server.js';
import type { Masking } from './masking.js';

/**
 * An answer as far as it must be the same on every profile, masked.
 *
 * What one call writes to several memories comes into a file in the order of its items. EventStoreDB is given them all at once and
 * decides the order itself, so lists of them are compared without their order. (A search ranks by score, and equal scores of what one
 * call wrote by that order: commands that are compared give the items of a batch different lengths.)
 */
export function comparable(tool: string, { isError, structured, text }: Answer, { masked }: Masking): object {
  if (isError) return masked({ isError, structured, text }) as object;
  // What changes nothing rests on the memory's last event, which may stand anywhere among those of one call.
  if (tool === 'memory_write') return masked({ structured: withoutEvent(structured), text }) as object;
  if (tool === 'memory_stats') return { structured: masked(counts(structured)) };
  if (tool === 'memory_audit') return { structured: masked(audited(structured)) };
  if (tool === 'memory_forget') {
    const shown = masked(withoutEvent(byPreview(structured))) as { forgotten: string[] };
    // The text lists some of what a dry run shows.
    const words = text.split(/\n|, |[()]/).filter((line) => !line.startsWith('- '));
    return {
      structured: { ...shown, forgotten: [...shown.forgotten].sort() },
      words: (masked(words) as string[]).sort(),
    };
  }
  return masked({ structured, text }) as object;
}

function withoutEvent(answer: Record<string, unknown>): Record<string, unknown> {
  return 'basis' in answer ? { ...answer, basis: typeof answer.basis } : answer;
}

/** Where an event stands, and so its hash, is the ledger's own; how late something came depends on how fast its run is. */
function audited({ rows, next, ...structured }: Record<string, unknown>) {
  const told = (rows as Record<string, unknown>[]).map(
    ({ position: _position, hash: _hash, stream: _stream, late_by: _late, ...row }) => row,
  );
  return { ...structured, rows: told, next: typeof next };
}

/** How large stores are, how long recalls took, how often views were built and how far they are is of the profile and the machine. */
function counts({ stores: _sizes, recall: _latencies, projection, ...structured }: Record<string, unknown>) {
  const { generation: _generation, lag_events: _lag, ...state } = projection as Record<string, unknown>;
  return { ...structured, projection: state };
}

function byPreview({ would_forget, ...forgotten }: Record<string, unknown>) {
  const would = would_forget as { preview: string; version: number }[] | undefined;
  const order = (each: { preview: string; version: number }) => `${each.preview} ${each.version}`;
  // Of more than it shows, the order decides which.
  return would && would.length === forgotten.total
    ? { ...forgotten, would_forget: [...would].sort((a, b) => (order(a) < order(b) ? -1 : 1)) }
    : forgotten;
}
