import { sealedBox } from '#events/sealed-box.js';
import { type VersionContent, versionContent } from '#events/version-fields.js';
import { openBox } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import type { BoxOrigin, VersionRow } from '#views/rows.js';

/** What a person wrote in a version; undefined when it was erased. @throws HindsightError key_not_found · ledger_corrupt */
export async function openVersion(
  vault: Vault,
  ledger: string,
  bank: string,
  row: VersionRow,
): Promise<VersionContent | undefined> {
  // An erasure leaves the row of a version, and takes what it held.
  if (row.box === '') return undefined;
  return versionContent.parse(await openRowBox(vault, ledger, bank, row, row.box));
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
  return openBox(vault, { ledger, bank, stream, eventId, type, schema }, sealedBox.parse(JSON.parse(box)), subjects);
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
