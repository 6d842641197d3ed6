import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { HindsightError } from '#contract/errors.js';
import type { KeyStore, StoredBucket, StoredEpoch } from './key-store.js';

/** All wrapped keys of a ledger at one moment. Nothing in it opens without the master key of its epoch, which is not in it. */
export interface KeyBundle {
  readonly ledger: string;
  /** ISO, UTC. */
  readonly made: string;
  readonly epoch: StoredEpoch;
  readonly buckets: readonly StoredBucket[];
  readonly names: readonly (readonly [name: string, id: string])[];
}

const format = 'hindsight-ledger keys 1';
const anyFormat = /^hindsight-ledger keys \d+$/;
/** More than any first line has. */
const headBytes = 4096;
const page = 200;

/** Takes all keys out of a store at one moment: who inserts meanwhile waits. @throws HindsightError keys_missing where there are none */
export async function takeBundle(keyStore: KeyStore, ledger: string, made: string): Promise<KeyBundle> {
  return keyStore.exclusively(async (keys) => {
    if (!keys.epoch)
      throw new HindsightError('keys_missing', 'The key store holds no keys yet: there is nothing to back up.');
    const buckets: StoredBucket[] = [];
    for (
      let found = await keys.wrappedKeys(undefined, page);
      found.length > 0;
      found = await keys.wrappedKeys(found.at(-1)!.id, page)
    )
      for (const { id } of found) buckets.push((await keys.bucket(id))!);
    return { ledger, made, epoch: keys.epoch, buckets, names: await keys.namesUnder('') };
  });
}

/** Lines of JSON: a head, buckets, names, and a last one with the SHA-256 of all before it. */
export function encodeBundle({ ledger, made, epoch, buckets, names }: KeyBundle): string {
  const lines = [
    JSON.stringify({ format, ledger, made, epoch: epoch.epoch, check: base64(epoch.check) }),
    ...buckets.map(({ id, sealedIn, blob, wrappedKey }) =>
      JSON.stringify({ bucket: id, sealedIn, secrets: base64(blob), key: base64(wrappedKey) }),
    ),
    ...names.map(([name, key]) => JSON.stringify({ name, key })),
  ];
  const text = `${lines.join('\n')}\n`;
  return `${text}${lastLine(text, buckets.length, names.length)}\n`;
}

interface Line {
  readonly format?: string;
  readonly ledger?: string;
  readonly made?: string;
  readonly epoch?: number;
  readonly check?: string;
  readonly bucket?: string;
  readonly sealedIn?: number;
  readonly secrets?: string;
  readonly key?: string;
  readonly name?: string;
}

/** @throws HindsightError invalid_input when it is something else · ledger_corrupt when it is cut or changed · newer_format */
export function decodeBundle(text: string, file: string): KeyBundle {
  const lastAt = text.lastIndexOf('\n', text.length - 2) + 1;
  const lines = text.slice(0, lastAt).split('\n').slice(0, -1).map(parsed);
  const head = lines[0];
  if (head?.format !== format) {
    if (anyFormat.test(head?.format ?? ''))
      throw new HindsightError('newer_format', `${file} was written by a newer release: ${head?.format}.`, { file });
    throw new HindsightError('invalid_input', `${file} is no bundle of keys: it does not begin with "${format}".`, {
      file,
    });
  }
  const { ledger = '', made = '', epoch = 0, check = '' } = head;
  const buckets: StoredBucket[] = [];
  const names: [string, string][] = [];
  for (const line of lines.slice(1)) {
    const { bucket, sealedIn, secrets = '', key = '', name } = line ?? {};
    if (bucket !== undefined)
      buckets.push({ id: bucket, sealedIn: Number(sealedIn), blob: bytes(secrets), epoch, wrappedKey: bytes(key) });
    else if (name !== undefined) names.push([name, key]);
  }
  if (text.slice(lastAt).trimEnd() !== lastLine(text.slice(0, lastAt), buckets.length, names.length))
    throw new HindsightError(
      'ledger_corrupt',
      `${file} is cut, or was changed: its last line does not say what is in it.`,
      { file },
    );
  return { ledger, made, epoch: { epoch, check: bytes(check) }, buckets, names };
}

/** Of which ledger a file holds keys, by its first line alone, whatever became of the rest; undefined when it is no bundle. */
export async function ledgerOfBundle(file: string): Promise<string | undefined> {
  const opened = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = parsed(buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!);
    return anyFormat.test(String(head?.format)) ? head!.ledger : undefined;
  } finally {
    await opened.close();
  }
}

/**
 * Puts the keys of a bundle into a store that holds none, or that an earlier try left half-filled.
 * @throws HindsightError invalid_config when the store holds other keys
 */
export async function putBundle(keyStore: KeyStore, bundle: KeyBundle): Promise<void> {
  const { epoch, check } = await keyStore.begin(bundle.epoch);
  const other = new HindsightError(
    'invalid_config',
    'Keys are restored only where there are none yet, and there are others: name another home by --home, or give an empty database of keys.',
  );
  if (epoch !== bundle.epoch.epoch || Buffer.compare(check, bundle.epoch.check) !== 0) throw other;
  for (const bucket of bundle.buckets) {
    const there = await keyStore.bucket(bucket.id);
    if (there && Buffer.compare(there.blob, bucket.blob) !== 0) throw other;
    if (!there && !(await keyStore.addBucket(bucket))) throw other;
  }
  for (let from = 0; from < bundle.names.length; from += page) {
    const some = bundle.names.slice(from, from + page);
    const stand = await keyStore.nameKeys(epoch, new Map(some));
    if (!stand || some.some(([, id], at) => stand[at] !== id)) throw other;
  }
}

function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

function lastLine(text: string, buckets: number, names: number): string {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return JSON.stringify({ buckets, names, sha256 });
}

function base64(given: Uint8Array): string {
  return Buffer.from(given).toString('base64');
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
