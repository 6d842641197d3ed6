import { wordSet } from './data/word-set.js';
import type { EntityKind } from './entity.js';

const email = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const version = /^v?\d+(?:\.\d+){1,4}(?:-(?:alpha|beta|rc|pre|dev|next|canary)[\w.]*)?$/i;
const address = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const ticket = /^[A-Z][A-Z\d]{1,9}-\d{1,7}$/;
const code = /^[A-Z]{1,5}\d{2,}[A-Z\d]*$|^\d{2}[A-Z]\d{2,}$/;
const snake = /^_*[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+$/;
const hex = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,64}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const dotted = /^[A-Za-z_]\w+(?:\.[A-Za-z_]\w+){2,}$/;
const file = /^[\w.@-]*\.([A-Za-z][A-Za-z\d]{0,5})$/;
const letters = /[A-Za-z]/;
const extensions =
  wordSet(`ts tsx js jsx mjs cjs mts json jsonl md mdx py ipynb go rs rb php java kt scala c h cpp hpp cs swift sh bash zsh ps1 sql html css scss
  yaml yml toml ini cfg conf env lock log txt csv tsv xml svg png jpg jpeg gif pdf docx xlsx pptx zip tar gz tgz proto graphql prisma vue svelte db sqlite wasm tf`);
const topLevels = wordSet('com org net io dev ai cn edu gov app co uk de fr jp info biz me xyz tech cloud');
const folders =
  wordSet(`src lib libs app apps etc usr var home bin sbin opt tmp test tests spec docs doc api dist build config packages pkg cmd internal public static
  node_modules services scripts models views components pages assets server client core utils migrations infra bench mnt root dev data logs www html`);

/**
 * What a chunk with digits or joining marks is: a path, version, identifier, address; undefined when it is a word.
 * @param before the character before the chunk, '' at the start
 */
export function codedKind(chunk: string, before: string): EntityKind | undefined {
  if (chunk.includes('://')) return 'url';
  if (chunk.includes('@')) return email.test(chunk) ? 'email' : undefined;
  if (chunk.includes('/') || chunk.includes('\\')) return isPath(chunk, before) ? 'path' : undefined;
  if (address.test(chunk)) return 'identifier';
  if (version.test(chunk)) return isVersion(chunk) ? 'version' : undefined;
  if (!letters.test(chunk)) return undefined;
  if (before === '/' || before === '\\') return chunk.length > 1 && isRooted(chunk) ? 'path' : undefined;
  if (ticket.test(chunk) || snake.test(chunk) || code.test(chunk) || uuid.test(chunk) || hex.test(chunk))
    return 'identifier';
  if (chunk.includes('::')) return 'identifier';
  const extension = file.exec(chunk)?.[1];
  if (extension === undefined) return undefined;
  if (extensions.has(extension.toLowerCase())) return 'path';
  if (topLevels.has(extension)) return 'url';
  return dotted.test(chunk) ? 'identifier' : undefined;
}

/** 3.14 is a number; v3.14, 3.1.4 and 2.0-beta are versions. */
function isVersion(chunk: string): boolean {
  return /^v/i.test(chunk) || /-|\..*\./.test(chunk);
}

function isRooted(chunk: string): boolean {
  return folders.has(chunk) || file.test(chunk);
}

/** `and/or`, `he/she/they`, `km/h`, `7/5/2023` are none. */
function isPath(chunk: string, before: string): boolean {
  const segments = chunk.split(/[/\\]+/, 20);
  if (!letters.test(chunk)) return false;
  if (before === '/' || before === '\\' || before === '~' || /^[A-Za-z]:\\/.test(chunk)) return true;
  const last = segments.at(-1)!;
  const extension = file.exec(last)?.[1];
  if (extension && (extensions.has(extension.toLowerCase()) || topLevels.has(segments[0]!.split('.').at(-1)!)))
    return true;
  return (
    segments.some((segment) => folders.has(segment)) || segments.some((segment) => /[\w]_[\w]|\w\.\w/.test(segment))
  );
}
