import type { Caller, Role } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';

/** @throws HindsightError forbidden */
export function permit(caller: Caller, role: Role): void {
  if (caller.roles.includes(role)) return;
  const has = caller.roles.length ? caller.roles.join(', ') : 'no role';
  throw new HindsightError('forbidden', `This needs the role ${role}; the connection has ${has}.`, { role });
}
