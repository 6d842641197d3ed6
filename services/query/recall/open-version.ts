import { isHindsightError } from '#contract/errors.js';
import { type SealedBox, sealedBox } from '#events/sealed-box.js';
import { type VersionContent, versionContent } from '#events/version-fields.js';
import { contentKeyOf } from '#sealing/content-key.js';
import { openBox, openBoxWith } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import type { BoxOrigin, VersionRow } from '#views/rows.js';

/** What opens boxes, and knows why one does not open. */
export interface Opening {
  readonly vault: Vault;
  /** Asked where something does not open, for an erase ends the keys before the views let go. */
  readonly wasErased?: WasErased | undefined;
}

/** Whether that is why a row's box was refused with this error. */
export type WasErased = (row: Pick<BoxOrigin, 'stream' | 'subjects'>, error: unknown) => Promise<boolean>;

/** What a person wrote in a version; undefined when it was erased. @throws HindsightError key_not_found · ledger_corrupt */
export async function openVersion(
  opening: Opening,
  ledger: string,
  bank: string,
  row: VersionRow,
): Promise<VersionContent | undefined> {
  // An erasure leaves the row of a version, and takes what it held.
  if (row.box === '') return undefined;
  try {
    const content = await openRowBox(opening.vault, ledger, bank, row, row.box);
    return isPlain(content) ? content : versionContent.parse(content);
  } catch (error) {
    if (await isBlank(opening, row, error)) return undefined;
    throw error;
  }
}

/**
 * What a person wrote in each version, in the order given; undefined for those that were erased. Versions of one memory share a content
 * key mostly, and a slot may have thousands: it is derived once. @throws as `openVersion`
 */
export async function openVersions(
  opening: Opening,
  ledger: string,
  bank: string,
  rows: readonly VersionRow[],
): Promise<(VersionContent | undefined)[]> {
  const boxes = rows.map(({ box }) => (box === '' ? undefined : boxOf(box)));
  const keys = new Map<string, Promise<Uint8Array | undefined>>();
  const derived = await Promise.all(
    rows.map(({ subjects }, at) => {
      const box = boxes[at];
      if (!box) return undefined;
      const shared = subjects.length === 0 ? box.k : `${box.k} ${subjects.join(' ')}`;
      const deriving = keys.get(shared) ?? contentKeyOf(opening.vault, bank, box.k, subjects);
      keys.set(shared, deriving);
      return deriving;
    }),
  );
  const contents: (VersionContent | undefined)[] = [];
  // Row by row, without a turn of the microtask queue for each.
  for (const [at, row] of rows.entries()) {
    const [box, key] = [boxes[at], derived[at]];
    if (!box) contents.push(undefined);
    // Says what is missing, or that it was erased.
    else if (!key) contents.push(await openVersion(opening, ledger, bank, row));
    else {
      try {
        const { stream, eventId, type, schema } = row;
        const content = openBoxWith(key, { ledger, bank, stream, eventId, type, schema }, box);
        contents.push(isPlain(content) ? content : versionContent.parse(content));
      } catch (error) {
        if (!(await isBlank(opening, row, error))) throw error;
        contents.push(undefined);
      }
    }
  }
  return contents;
}

/** Whether a row's box does not open, with this error, because what it held was erased. */
export async function isBlank(
  { wasErased }: Pick<Opening, 'wasErased'>,
  { stream, subjects }: Pick<BoxOrigin, 'stream' | 'subjects'>,
  error: unknown,
): Promise<boolean> {
  return isHindsightError(error) && ((await wasErased?.({ stream, subjects }, error)) ?? false);
}

/** What somebody wrote with an event that is no version, as why it was forgotten; nothing where it was erased. @throws as `openVersion` */
export async function openWords(
  opening: Opening,
  ledger: string,
  bank: string,
  row: BoxOrigin & { readonly box?: string | undefined },
): Promise<Record<string, unknown>> {
  if (!row.box) return {};
  try {
    return await openRowBox(opening.vault, ledger, bank, row, row.box);
  } catch (error) {
    if (await isBlank(opening, row, error)) return {};
    throw error;
  }
}

/** The content of the box that a row carries: the event's own. */
export async function openRowBox(
  vault: Vault,
  ledger: string,
  bank: string,
  row: BoxOrigin,
  box: string,
): Promise<Record<string, unknown>> {
  const { stream, eventId, type, schema, subjects } = row;
  return openBox(vault, { ledger, bank, stream, eventId, type, schema }, boxOf(box), subjects);
}

/** As every row has it (box-text.ts), with nothing in its members that would be escaped. */
const usualBox = /^\{"f":1,"a":"A256GCM","k":"([\w-]+)","n":"([\w-]+)","c":"([\w-]+)"\}$/;

function boxOf(text: string): SealedBox {
  const usual = usualBox.exec(text);
  if (usual) return { f: 1, a: 'A256GCM', k: usual[1]!, n: usual[2]!, c: usual[3]! };
  const parsed: unknown = JSON.parse(text);
  // A box that was tampered with does not open, whatever form it has; a schema that copies it says that at a price.
  return isBox(parsed) ? parsed : sealedBox.parse(parsed);
}

const boxMembers = Object.keys(sealedBox.shape).length;

function isBox(value: unknown): value is SealedBox {
  const { f, a, k, n, c } = value as SealedBox;
  const texts = typeof k === 'string' && typeof n === 'string' && typeof c === 'string';
  return f === 1 && a === 'A256GCM' && texts && Object.keys(value as object).length === boxMembers;
}

const textMembers = new Set(['content', 'key', 'metadata', 'action', 'externalSource', 'externalId', 'idempotencyKey']);
const listMembers = new Set(['tags', 'subjects']);

/** Whether it is as the schema has it, asked without copying: it was sealed by that schema, and is what was sealed. */
function isPlain(content: Record<string, unknown>): content is VersionContent {
  if (typeof content.content !== 'string') return false;
  for (const name in content) {
    const value = content[name];
    if (textMembers.has(name)) {
      if (typeof value !== 'string') return false;
    } else if (!listMembers.has(name) || !Array.isArray(value) || !value.every((each) => typeof each === 'string'))
      return false;
  }
  return true;
}

/** Content as it was written: text, or an object. */
export function contentOf(content: VersionContent): string | Record<string, unknown> {
  return JSON.parse(content.content) as string | Record<string, unknown>;
}

/** Metadata as it was written. */
export function metadataOf(content: VersionContent): Record<string, unknown> | undefined {
  return content.metadata === undefined ? undefined : (JSON.parse(content.metadata) as Record<string, unknown>);
}

/** Content as text, for previews and budgets. */
export function textOf(content: string | Record<string, unknown>): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
