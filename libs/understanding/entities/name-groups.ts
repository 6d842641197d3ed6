import { foldName } from './fold-name.js';

/** A name of a group, as a text says it, with the group's other names. */
export interface NamedOtherwise {
  /** Folded, as all of them. */
  readonly name: string;
  readonly others: readonly string[];
}

const han = /\p{Script=Han}/u;
const letter = /[\p{L}\p{M}\p{N}_]/u;

/** Which names of groups a text says: a Latin name as whole words, a Chinese one wherever it stands. */
export function namesOfGroups(text: string, groups: readonly (readonly string[])[]): NamedOtherwise[] {
  const folded = foldName(text);
  const found = new Map<string, Set<string>>();
  for (const group of groups) {
    const names = [...new Set(group.map(foldName))].filter((name) => name !== '');
    for (const name of names) {
      if (!isSaid(folded, name)) continue;
      const others = found.get(name) ?? new Set();
      for (const other of names) if (other !== name) others.add(other);
      found.set(name, others);
    }
  }
  return [...found].map(([name, others]) => ({ name, others: [...others] }));
}

function isSaid(text: string, name: string): boolean {
  if (han.test(name)) return text.includes(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!letter.test(text[at - 1] ?? ' ') && !letter.test(text[at + name.length] ?? ' ')) return true;
  return false;
}
