import type { VersionContent } from '#events/version-fields.js';

/** What a version is found by: the text of its content, of an object all strings and numbers in it, and the words of its key. */
export function searchableText({ content, key }: Pick<VersionContent, 'content' | 'key'>): string {
  const parts: string[] = [];
  collect(JSON.parse(content), parts);
  if (key !== undefined) parts.push(key);
  return parts.join('\n');
}

function collect(value: unknown, parts: string[]): void {
  if (typeof value === 'string') parts.push(value);
  else if (typeof value === 'number') parts.push(String(value));
  else if (value !== null && typeof value === 'object') for (const each of Object.values(value)) collect(each, parts);
}
