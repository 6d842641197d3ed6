import { isHindsightError } from '#contract/errors.js';
import { sealedBox } from '#events/sealed-box.js';
import type { Ledger } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import { openBox } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import type { VectorKeys } from '#sealing/vector-box.js';
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
  /** What opened them: all of it is needed to open what is made of them. */
  readonly keys: VectorKeys;
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
  const texts = new Map<number, Opened | undefined>();
  const textOf = async (row: VersionRow): Promise<Opened | undefined> => {
    if (!texts.has(row.doc)) texts.set(row.doc, await openText(deps, row));
    return texts.get(row.doc);
  };
  for (const { row, before } of turns) {
    const text = await textOf(row);
    if (text === undefined) continue;
    const said = before && (await textOf(before));
    passages.push({
      doc: row.doc,
      before: said && before!.doc,
      text: passageOf(text.text, said?.text),
      memoryIds: said ? [row.memoryId, before!.memoryId] : [row.memoryId],
      keys: {
        secrets: said ? [text.secret, said.secret] : [text.secret],
        subjects: said ? [...row.subjects, ...before!.subjects] : row.subjects,
      },
    });
  }
  return passages;
}

interface Opened {
  readonly text: string;
  /** Id of the memory's secret. */
  readonly secret: string;
}

async function openText({ ledger, vault, log }: PassageDeps, row: VersionRow): Promise<Opened | undefined> {
  // An erasure leaves the row of a version, and takes what it held.
  if (row.box === '') return undefined;
  const { bank, stream, eventId, type, schema, subjects } = row;
  try {
    const box = sealedBox.parse(JSON.parse(row.box));
    const content = await openBox(vault, { ledger: ledger.id, bank, stream, eventId, type, schema }, box, subjects);
    return { text: contentText(content.content as string), secret: box.k };
  } catch (error) {
    if (await erasedLater(ledger)({ stream, revision: -1, subjects }, error)) return undefined;
    if (isHindsightError(error) && error.code !== 'key_not_found' && error.code !== 'ledger_corrupt') throw error;
    log.warn({ event: eventId, error: String(error) }, 'a version does not open, and is not embedded');
    return undefined;
  }
}
