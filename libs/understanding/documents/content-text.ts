/**
 * What a content says: of a string itself, of an object all strings and numbers in it, a line each.
 * @param content JSON text, as versions hold it
 */
export function contentText(content: string): string {
  const value: unknown = JSON.parse(content);
  if (typeof value === 'string') return value;
  const parts: string[] = [];
  collect(value, parts);
  return parts.join('\n');
}

function collect(value: unknown, parts: string[]): void {
  if (typeof value === 'string') parts.push(value);
  else if (typeof value === 'number') parts.push(String(value));
  else if (value !== null && typeof value === 'object') for (const each of Object.values(value)) collect(each, parts);
}
