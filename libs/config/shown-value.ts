/** A connection string without its password, wherever it stands; anything else as it is. */
export function withoutPassword(value: string): string {
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@(?=[^@]*$)/i, '$1:***@')
    .replace(/([?&](?:password|sslpassword|pass|key|api[-_]?key|token|access[-_]?token|code|sig)=)[^&]*/gi, '$1***');
}
