import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The words of these that stand in some bytes, as a careless program might leave them: as text of either width, or encoded. */
export function plantedIn(words: readonly string[], bytes: Buffer): string[] {
  return words.filter((word) => formsOf(word).some((form) => bytes.includes(form)));
}

/** The same for every file under a folder; each finding says which file. Only regular files are read. */
export function plantedUnder(words: readonly string[], folder: string): string[] {
  return filesUnder(folder).flatMap((file) =>
    plantedIn(words, bytesOf(file)).map((word) => `${word} in ${file.slice(folder.length + 1)}`),
  );
}

/** Servers that run remove files of theirs meanwhile. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

export function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    const found = statSync(path);
    if (found.isDirectory()) return filesUnder(path);
    return found.isFile() ? [path] : [];
  });
}

function formsOf(word: string): Buffer[] {
  const text = Buffer.from(word, 'utf8');
  const escaped = JSON.stringify(word).slice(1, -1);
  const forms = [word, word.toLowerCase(), text.toString('hex'), encodeURIComponent(word), escaped];
  for (const each of base64sOf(text)) forms.push(each, each.replaceAll('+', '-').replaceAll('/', '_'));
  forms.push(text.toString('hex').toUpperCase());
  const wide = Buffer.from(word, 'utf16le');
  return [...forms.map((form) => Buffer.from(form)), wide, Buffer.from(wide).swap16()];
}

/** What stands in the middle of a base64, wherever the word begins in its groups of three bytes. */
function base64sOf(text: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), text])
      .toString('base64')
      .replace(/=+$/, '');
    return shifted.slice(before === 0 ? 0 : before + 1, -2);
  });
}
