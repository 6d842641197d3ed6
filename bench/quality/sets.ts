import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a set's memories are, told by its files: `corpus.jsonl` holds turns and passages, `facts.jsonl` statements with the span in which
 * they held, `memories.jsonl` lines of the product's own import format.
 */
export type Form = 'turns' | 'facts' | 'memories';

export interface QualitySet {
  readonly name: string;
  readonly folder: string;
  readonly form: Form;
  /** The folder whose `set.json` says what becomes of it, where that is another. */
  readonly about?: string;
}

/** What a `set.json` says; files are relative to it. */
interface About {
  /** Further files with memories. */
  readonly also?: readonly string[];
  /** The set whose memories and questions these are. */
  readonly of?: string;
  /** Memories are written down in so many sessions, by nobody and without a key. */
  readonly sessions?: number;
}

const files: readonly (readonly [string, Form])[] = [
  ['corpus.jsonl', 'turns'],
  ['facts.jsonl', 'facts'],
  ['memories.jsonl', 'memories'],
];

/**
 * Every folder with memories and questions, by name.
 * @param names only these, where given; folders of other names with the same files are found as well
 */
export function setsIn(folders: readonly string[], names?: readonly string[]): QualitySet[] {
  const found = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .sort()
        .map((name) => setAt(name, join(folder, name))),
    );
  return found.filter((set) => set !== undefined).filter(({ name }) => !names || names.includes(name));
}

function setAt(name: string, folder: string): QualitySet | undefined {
  const { of } = aboutOf(folder);
  if (of !== undefined) {
    const other = setAt(name, join(folder, of));
    return other && { ...other, name, about: folder };
  }
  if (!existsSync(join(folder, 'queries.jsonl'))) return undefined;
  const form = files.find(([file]) => existsSync(join(folder, file)))?.[1];
  return form && { name, folder, form };
}

/** Objects of a file with one a line; blank lines count for nothing. */
export function linesOf<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The files of a set's memories: its own, and those that its `set.json` names under `also`, relative to the set. */
export function memoryFiles({ folder, form }: QualitySet): string[] {
  const own = join(folder, files.find(([, each]) => each === form)![0]);
  return [own, ...(aboutOf(folder).also ?? []).map((file) => join(folder, file))];
}

/** In how many sessions a set's memories are written down; undefined where they stand as they are. */
export function sessionsOf({ folder, about }: QualitySet): number | undefined {
  return aboutOf(about ?? folder).sessions;
}

function aboutOf(folder: string): About {
  const file = join(folder, 'set.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as About) : {};
}
