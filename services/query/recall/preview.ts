import { textOf } from './open-version.js';

/** Characters of a preview. */
const longest = 120;

/** The beginning of a content, whole characters only. */
export function preview(content: string | Record<string, unknown>, characters = longest): string {
  const text = textOf(content);
  const shown = [...text.slice(0, characters * 2)].slice(0, characters).join('');
  return shown === text ? text : `${shown}…`;
}
