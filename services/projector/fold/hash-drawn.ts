import { type DrawnDocument, type DrawnFrom, drawDocument } from '#understanding/documents/draw-document.js';
import { fieldTerm, speakerTerm } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import { docFlags, longerThan } from '#views/doc-flags.js';
import type { ProjectedEvent } from '../projections/projection.js';

type Hashed = Pick<ProjectedEvent, 'terms' | 'frequencies' | 'length' | 'speaker' | 'entities' | 'flags' | 'keyLength'>;

/** What is drawn from a version's content, with keyed hashes in the place of words. */
export function hashDrawn(indexKey: Uint8Array, content: DrawnFrom, inSession: boolean): Hashed {
  const drawn = drawDocument(content, inSession);
  const terms: string[] = [];
  const frequencies: number[] = [];
  for (const counts of [drawn.text, drawn.fields])
    counts.forEach((tf, term) => {
      terms.push(termHash(indexKey, term));
      frequencies.push(tf);
    });
  return {
    terms,
    frequencies,
    length: drawn.length,
    speaker: drawn.speaker === undefined ? undefined : termHash(indexKey, speakerTerm(drawn.speaker)),
    entities: drawn.entities.map((entity) => termHash(indexKey, fieldTerm('entity', entity))),
    flags: flagsOf(drawn),
    keyLength: drawn.keyLength,
  };
}

function flagsOf({
  isQuestion,
  mentionsTime,
  mentionsNumber,
  mentionsChange,
  tellsWish,
  bytes,
  language,
}: DrawnDocument): number {
  let flags = 0;
  if (isQuestion) flags |= docFlags.question;
  if (mentionsTime) flags |= docFlags.mentionsTime;
  if (mentionsNumber) flags |= docFlags.mentionsNumber;
  if (mentionsChange) flags |= docFlags.mentionsChange;
  if (tellsWish) flags |= docFlags.tellsWish;
  if (bytes > longerThan) flags |= docFlags.long;
  if (language === 'en' || language === 'mixed') flags |= docFlags.latin;
  if (language === 'zh' || language === 'mixed') flags |= docFlags.han;
  return flags;
}
