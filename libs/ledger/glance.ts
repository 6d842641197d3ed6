import { hashAlgorithm } from '#events/hash.js';
import type { StoredEvent } from './ledger.js';

/** What chains an event to the one before it. */
export interface Link {
  readonly previous: string | null;
  readonly recordedAt: string;
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const plain = String.raw`"([^"\\]*)"`;

/** All that follows `"previous":` in an envelope, to its end: members in their canonical order (envelope-text.ts), with no other among them. */
const tail = new RegExp(
  `(?:null|"([A-Za-z0-9_-]{43})"),"principal":${text},"recordedAt":${plain}` +
    `(?:,"request":\\{"key":"[^"\\\\]*","print":"[^"\\\\]*"\\})?,"revision":(\\d+),"schema":\\d+(?:,"session":${text})?(?:,"step":${text})?` +
    `,"stream":${plain}(?:,"subjects":\\["[^\\]\\\\]*"\\])?(?:,"task":${text})?(?:,"tool":${text})?(?:,"trust":[0-9.e-]+)?,"type":${plain},"v":1\\}$`,
  'y',
);

/**
 * Reads from the end of an envelope's bytes what its chain is made of, without parsing the whole, which takes a third of a verification.
 * Undefined unless the bytes are in canonical form there and say the same as the store's columns: then they have to be parsed to say why.
 * What comes before (the box, the data) is not looked at.
 */
export function glance(ledger: string, event: StoredEvent): Link | undefined {
  const { bytes, id, stream, revision, type } = event;
  // All that is compared is ASCII, which is the same in both encodings, and this one is read without decoding.
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const marker = `,"hashAlgorithm":"${hashAlgorithm}","id":"${id}","ledger":"${ledger}","previous":`;
  const at = whole.indexOf(marker);
  if (at < 0) return undefined;
  tail.lastIndex = at + marker.length;
  const found = tail.exec(whole);
  if (!found || found[3] !== String(revision) || found[4] !== stream || found[5] !== type) return undefined;
  return { previous: found[1] ?? null, recordedAt: found[2]! };
}
