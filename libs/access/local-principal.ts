import { userInfo } from 'node:os';

/** Who writes over stdio and by the command: the operating system's user, as `local:<name>`. */
export function localPrincipal(): string {
  try {
    return `local:${userInfo().username}`;
  } catch {
    // A container may run under a number that no user has.
    return `local:${process.getuid?.() ?? 'unknown'}`;
  }
}
