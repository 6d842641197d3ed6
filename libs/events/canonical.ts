/**
 * RFC 8785 (JCS) bytes of a JSON value. JCS is ECMAScript's own JSON.stringify over recursively sorted members,
 * so sorting first and stringifying after gives the canonical form at a fifth of the cost of a separate serialiser
 * (docs/decisions/0003). Numbers must be finite; strings must hold no lone surrogate: both are refused, as RFC 8785 §3.2.2 asks.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

/** @throws TypeError when the value has no canonical form (NaN, Infinity, a lone surrogate). */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

export function canonicalBytes(value: Json): Uint8Array {
  return Buffer.from(canonicalJson(value), 'utf8');
}

function sorted(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new TypeError(`${value} has no canonical form: RFC 8785 takes finite numbers only`);
    return value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each: Json) => (each === undefined ? null : sorted(each)));
  const source = value as { readonly [name: string]: Json | undefined };
  // A null prototype keeps a member named __proto__ an ordinary member.
  const target: { [name: string]: Json } = Object.create(null);
  const names = Object.keys(source);
  for (const name of names.length > 1 ? names.sort() : names) {
    const member = source[name];
    if (member !== undefined) target[wellFormed(name)] = sorted(member);
  }
  return target;
}

function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form (RFC 8785 §3.2.2.2)');
  return text;
}
