/**
 * A value with a canonical form. Members that are undefined are left out, as in JSON.stringify; an undefined element of an
 * array is null.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

/**
 * RFC 8785 (JCS) text of a JSON value: members sorted by UTF-16 code units, numbers as ECMAScript prints them. Written
 * directly, since an object that was sorted first would list integer-like names (`10`, `9`) in numeric order.
 * @throws TypeError when the value has no canonical form: NaN, Infinity, a lone surrogate (RFC 8785 §3.2.2), no JSON at all
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new TypeError(`${value} has no canonical form: RFC 8785 takes finite numbers only`);
    return String(value);
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical form: it is no JSON`);
  return isList(value) ? list(value) : members(value);
}

function list(value: readonly Json[]): string {
  let text = '[';
  for (let i = 0; i < value.length; i++) text += (i > 0 ? ',' : '') + canonicalJson(value[i] ?? null);
  return `${text}]`;
}

function members(value: { readonly [name: string]: Json | undefined }): string {
  const names = Object.keys(value);
  if (!isAscending(names)) names.sort();
  let text = '{';
  for (const name of names) {
    const member = value[name];
    if (member !== undefined) text += `${text.length > 1 ? ',' : ''}${quoted(name)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}

// `<` and sort() both compare strings by UTF-16 code units. Objects that are made in order skip the sort.
function isAscending(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if (names[i - 1]! > names[i]!) return false;
  return true;
}

const needsNoEscape = /^[ !#-[\]-~]*$/;

/** A text as RFC 8785 writes it. @throws TypeError at a lone surrogate */
export function quoted(text: string): string {
  if (needsNoEscape.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form (RFC 8785 §3.2.2.2)');
  return JSON.stringify(text);
}

// Array.isArray narrows no readonly array.
function isList(value: readonly Json[] | { readonly [name: string]: Json | undefined }): value is readonly Json[] {
  return Array.isArray(value);
}
