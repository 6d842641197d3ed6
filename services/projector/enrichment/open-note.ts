import { isHindsightError } from '#contract/errors.js';
import { sealedBox } from '#events/sealed-box.js';
import type { Ledger } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import { openBox } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import { contentText } from '#understanding/documents/content-text.js';
import { spokenBy } from '#understanding/documents/spoken-by.js';
import type { TextToRead } from '#understanding/enrich/model-reader.js';
import type { VersionRow } from '#views/rows.js';
import type { ProjectorLog } from '../fold/project-batch.js';

/** A version as a model is given it. */
export interface Note extends Pick<TextToRead, 'text' | 'at' | 'speaker'> {
  /** Where in the version's text that begins: who says a turn is told apart from what is said. */
  readonly from: number;
}

export interface NoteDeps {
  readonly ledger: Pick<Ledger, 'id' | 'readStream'>;
  readonly vault: Vault;
  readonly log: ProjectorLog;
}

/**
 * What a version says, when and by whom: nothing else of it leaves this machine, neither its bank, nor its key, tags or metadata. Undefined of
 * what was erased, does not open, or has no words.
 * @throws HindsightError keys_unreachable, and whatever else may be otherwise a moment later
 */
export async function openNote({ ledger, vault, log }: NoteDeps, row: VersionRow): Promise<Note | undefined> {
  if (row.box === '') return undefined;
  const { bank, stream, eventId, type, schema, subjects, sessionId } = row;
  try {
    const box = sealedBox.parse(JSON.parse(row.box));
    const opened = await openBox(vault, { ledger: ledger.id, bank, stream, eventId, type, schema }, box, subjects);
    const whole = contentText(opened.content as string);
    const { name, from } = spokenBy(whole, opened.metadata as string | undefined, sessionId !== undefined);
    const text = whole.slice(from);
    if (!/\p{L}/u.test(text)) return undefined;
    return { text, from, at: row.occurredAt ?? row.recordedAt, speaker: name };
  } catch (error) {
    if (await erasedLater(ledger)({ stream, revision: -1, subjects }, error)) return undefined;
    if (isHindsightError(error) && error.code !== 'key_not_found' && error.code !== 'ledger_corrupt') throw error;
    log.warn({ event: eventId, error: String(error) }, 'a version does not open, and is not read by the model');
    return undefined;
  }
}
