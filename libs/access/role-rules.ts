import type { Role } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';

/** Which roles may call a tool; any one of them is enough. */
const rolesOf: { readonly [tool: string]: readonly Role[] } = {
  memory_search: ['reader'],
  memory_history: ['reader'],
  memory_stats: ['reader'],
  memory_audit: ['auditor'],
  memory_write: ['writer'],
  memory_forget: ['writer', 'eraser'],
  memory_restore: ['writer'],
  memory_feedback: ['writer'],
};

/** Whether these roles allow a tool. A tool that is not known is allowed to nobody. */
export function may(held: readonly Role[], tool: string): boolean {
  return Object.hasOwn(rolesOf, tool) && rolesOf[tool]!.some((each) => held.includes(each));
}

/** @throws HindsightError forbidden, naming the role that is lacking */
export function demand(held: readonly Role[], tool: string): void {
  if (may(held, tool)) return;
  const needed = Object.hasOwn(rolesOf, tool) ? rolesOf[tool]!.join(' or ') : 'no known role';
  throw new HindsightError(
    'forbidden',
    `${tool} needs the role ${needed}; this connection has ${held.length ? held.join(', ') : 'none'}.`,
    { tool, held },
  );
}
