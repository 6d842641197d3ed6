import { isHindsightError } from '#contract/errors.js';
import { sealedBox } from '#events/sealed-box.js';
import type { Ledger } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import { openBox } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import { contentText } from '#understanding/documents/content-text.js';
import { passageOf } from '#understanding/embeddings/passages.js';
import type { VersionRow } from '#views/rows.js';
import type { ProjectorLog } from '../fold/project-batch.js';

/** A version as it is embedded. */
export interface Passage {
  readonly doc: number;
  readonly before: number | undefined;
  readonly text: string;
  /** Whose words are in the text. */
  readonly memoryIds: readonly string[];
}

export interface PassageDeps {
  readonly ledger: Pick<Ledger, 'id' | 'readStream'>;
  readonly vault: Vault;
  readonly log: ProjectorLog;
}

/** A version and what was said before it in its session. */
export interface Turn {
  readonly row: VersionRow;
  readonly before: VersionRow | undefined;
}

/**
 * What is embedded of each version, in order. One that was erased, or whose box is damaged, is left out, and stands in no window.
 * @throws HindsightError keys_unreachable, and whatever else may be otherwise a moment later
 */
export async function openPassages(deps: PassageDeps, turns: readonly Turn[]): Promise<Passage[]> {
  const passages: Passage[] = [];
  const texts = new Map<number, string | undefined>();
  const textOf = async (row: VersionRow): Promise<string | undefined> => {
    if (!texts.has(row.doc)) texts.set(row.doc, await openText(deps, row));
    return texts.get(row.doc);
  };
  for (const { row, before } of turns) {
    const text = await textOf(row);
    if (text === undefined) continue;
    const said = before && (await textOf(before));
    const memoryIds = said === undefined ? [row.memoryId] : [row.memoryId, before!.memoryId];
    passages.push({
      doc: row.doc,
      before: said === undefined ? undefined : before!.doc,
      text: passageOf(text, said),
      memoryIds,
    });
  }
  return passages;
}

async function openText({ ledger, vault, log }: PassageDeps, row: VersionRow): Promise<string | undefined> {
  // An erasure leaves the row of a version, and takes what it held.
  if (row.box === '') return undefined;
  const { bank, stream, eventId, type, schema, subjects } = row;
  try {
    const box = sealedBox.parse(JSON.parse(row.box));
    const content = await openBox(vault, { ledger: ledger.id, bank, stream, eventId, type, schema }, box, subjects);
    return contentText(content.content as string);
  } catch (error) {
    if (await erasedLater(ledger)({ stream, revision: -1, subjects }, error)) return undefined;
    if (isHindsightError(error) && error.code !== 'key_not_found' && error.code !== 'ledger_corrupt') throw error;
    log.warn({ event: eventId, error: String(error) }, 'a version does not open, and is not embedded');
    return undefined;
  }
}
