import { stemmer } from 'stemmer';
import { englishFunctionWords } from './english-function-words.js';
import { folded } from './fold.js';
import { plainForms } from './irregular-forms.js';

/** Longer than this nothing is stemmed, cut at capitals or remembered: it is data, not a word. */
const wordLength = 48;
/** A path, address or identifier is kept whole up to this length. */
const wholeLength = 256;
const cacheSize = 16_384;

let recent = new Map<string, readonly string[]>();
let older: typeof recent = new Map();

/**
 * Terms of a stretch of letters and digits, with the marks that join them (`src/app/main.ts`, `user_id`, `v2.3.1`, `O'Brien`):
 * whole and in parts, lower-case, folded; plain words stemmed. Empty for a function word.
 */
export function wordTerms(chunk: string): readonly string[] {
  if (chunk.length > wordLength) return analyse(chunk);
  const hit = recent.get(chunk) ?? older.get(chunk);
  if (hit) return hit;
  const terms = analyse(chunk);
  if (recent.size >= cacheSize / 2) {
    older = recent;
    recent = new Map();
  }
  recent.set(chunk, terms);
  return terms;
}

const plain = /^[\p{L}\p{M}]+$/u;
const joined = /[^\p{L}\p{M}\p{N}]/u;
const contraction = /['’](?:s|t|re|ve|ll|d|m)$/i;
const version = /^v?(\d+(?:\.\d+){1,4})(?![\d.])/i;
const scheme = /^[a-z][a-z\d]*:\/\//i;
const grouped = /^\d{1,3}(?:,\d{3})+$/;

function analyse(chunk: string): readonly string[] {
  const bare = chunk.replace(contraction, '');
  const terms = new Set<string>();
  if (joined.test(bare)) addCompound(bare, terms);
  else addAtom(bare, terms);
  return [...terms];
}

function addCompound(chunk: string, terms: Set<string>): void {
  if (grouped.test(chunk)) {
    terms.add(chunk.replaceAll(',', ''));
    return;
  }
  const address = chunk.replace(scheme, '');
  if (address.length <= wholeLength) terms.add(whole(address));
  for (const segment of address.split(/[/\\@,]|:+/)) {
    if (!segment) continue;
    const numbers = version.exec(segment)?.[1];
    if (numbers) addVersion(segment, numbers, terms);
    else addSegment(segment, terms);
  }
}

/** A version is also found by how it starts: 2.3 and 2 for 2.3.1. */
function addVersion(segment: string, numbers: string, terms: Set<string>): void {
  if (segment.length <= wholeLength) terms.add(whole(segment));
  for (let end = numbers.length; end > 0; end = numbers.lastIndexOf('.', end - 1)) terms.add(numbers.slice(0, end));
  const rest = segment.slice(segment.indexOf(numbers) + numbers.length);
  for (const atom of rest.split(/[^\p{L}\p{M}\p{N}]+/u)) if (atom) addAtom(atom, terms);
}

function addSegment(segment: string, terms: Set<string>): void {
  if (joined.test(segment) && segment.length <= wholeLength) terms.add(whole(segment));
  for (const atom of segment.split(/[^\p{L}\p{M}\p{N}]+/u)) if (atom) addAtom(atom, terms);
}

/** Apostrophes join without a trace (O'Brien = obrien); a version's leading v says nothing. */
function whole(chunk: string): string {
  const text = folded(chunk).replace(/['’]/g, '');
  return /^v\d/.test(text) ? text.slice(1) : text;
}

function addAtom(atom: string, terms: Set<string>): void {
  const lower = folded(atom);
  if (englishFunctionWords.has(lower)) return;
  terms.add(stem(lower));
  if (atom.length > wordLength) return;
  const parts = partsOf(atom);
  if (parts.length > 1) {
    for (const part of parts) {
      const word = folded(part);
      if (!englishFunctionWords.has(word)) terms.add(stem(word));
    }
  }
}

// getUserName, HTTPServer, python3; a lone letter before digits (E0425, v2) stays with them.
const boundary = /(?<=[\p{Ll}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{2})(?=\p{N})/u;

function partsOf(atom: string): string[] {
  return atom.split(boundary);
}

function stem(word: string): string {
  return word.length > 2 && word.length <= wordLength && plain.test(word)
    ? stemmer(plainForms.get(word) ?? word)
    : word;
}
