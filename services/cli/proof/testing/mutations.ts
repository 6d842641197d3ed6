import { canonicalJson, type Json } from '#events/canonical.js';
import type { Envelope } from '#events/envelope.js';
import { eventHash } from '#events/hash.js';
import { merkleTree } from '#proof/merkle-tree.js';
import { toBase64url } from '#proof/tree-hash.js';
import type { Finding } from '../findings.js';
import type { Row } from './stored-rows.js';

/** One way to tamper with a ledger's file. */
export interface Mutation {
  readonly kind: string;
  /** What catches it: the first finding. */
  readonly by: Finding['by'];
  /** What the first finding says, among other things. */
  readonly says: string;
  readonly change: (rows: readonly Row[]) => Row[];
  /** The same on EventStoreDB, where positions are not counted and columns are not apart from bytes. */
  readonly there?: { readonly by?: Finding['by']; readonly says?: string } | 'cannot be done';
}

export const text = ({ bytes }: Row) => bytes.toString('utf8');
const parsed = (row: Row) => JSON.parse(text(row)) as Envelope;
const withText = (row: Row, changed: string): Row => ({ ...row, bytes: Buffer.from(changed, 'utf8') });
const isSeal = ({ type }: Row) => type === 'LedgerSealed';
const renumbered = (rows: readonly Row[]): Row[] => rows.map(({ position: _, ...row }) => row);

/** The first version and the revision of a memory that was revised before the first seal, and another memory of one version. */
function places(rows: readonly Row[]) {
  const second = rows.findIndex(({ type }) => type === 'MemoryRevised');
  const stream = rows[second]!.stream;
  const first = rows.findIndex((row) => row.stream === stream);
  const other = rows.findIndex(({ type, stream: name }) => type === 'MemoryRecorded' && name !== stream);
  const firstSeal = rows.findIndex(isSeal);
  return { first, second, other, stream, firstSeal };
}

function changed(rows: readonly Row[], at: number, change: (row: Row) => Row): Row[] {
  return rows.map((row, index) => (index === at ? change(row) : row));
}

function swapped(rows: readonly Row[], one: number, two: number): Row[] {
  const copy = [...rows];
  copy[one] = { ...rows[two]!, position: rows[one]!.position };
  copy[two] = { ...rows[one]!, position: rows[two]!.position };
  return copy;
}

/** The bytes of an event as if they had always been so: its own hash is right again. */
function rehashed(row: Row, envelope: Envelope): Row {
  const bytes = Buffer.from(canonicalJson(envelope as unknown as Json), 'utf8');
  return { ...row, bytes, hash: Buffer.from(eventHash(bytes)) };
}

/** All chains are made anew, and with `seals` what was sealed too, by somebody without the signing key. */
export function rewritten(
  rows: readonly Row[],
  { seals }: { seals: 'kept' | 'forged' | 'forged with signatures' },
): Row[] {
  const lasts = new Map<string, { hash: Buffer; revision: number }>();
  const tree = merkleTree();
  const before: Row[] = [];
  for (const row of rows) {
    const envelope = parsed(row);
    const last = lasts.get(row.stream);
    const revision = last ? last.revision + 1 : 0;
    const chained = { ...envelope, revision, previous: last ? last.hash.toString('base64url') : null };
    const next = rehashed(
      { ...row, revision },
      isSeal(row) && seals !== 'kept'
        ? { ...chained, data: resealed(envelope.data, seals === 'forged with signatures') }
        : chained,
    );
    lasts.set(row.stream, { hash: next.hash, revision });
    tree.append(next.hash);
    before.push(next);
  }
  return before;

  function resealed(data: Envelope['data'], keepSignature: boolean): Envelope['data'] {
    const { signature, publicKey, ...rest } = data;
    const { size, peaks } = tree.frontier();
    const root = toBase64url(tree.root());
    if (data.size === size && data.root === root) return data;
    const { stream, revision, hash } = before.at(-1)!;
    const head = { stream, revision, hash: hash.toString('base64url') };
    const forged = { ...rest, size, peaks: [...peaks], root, head };
    return keepSignature && signature ? { ...forged, signature, publicKey } : forged;
  }
}

const later = (envelope: Envelope): Envelope => ({
  ...envelope,
  recordedAt: new Date(Date.parse(envelope.recordedAt) - 86_400_000).toISOString(),
});
const sealSays = 'do not have the root that was sealed';

export const mutations: readonly Mutation[] = [
  {
    kind: 'a flipped byte in content',
    by: 'hash or chain',
    says: 'do not have the hash',
    change: (rows) =>
      changed(rows, places(rows).first, (row) =>
        withText(
          row,
          text(row).replace(/("c":")(.)/, (_, before: string, of: string) => before + (of === 'A' ? 'B' : 'A')),
        ),
      ),
  },
  {
    kind: 'a flipped byte in metadata',
    by: 'hash or chain',
    says: 'do not have the hash',
    change: (rows) =>
      changed(rows, places(rows).first, (row) =>
        withText(
          row,
          text(row).replace(
            /("principal":".)(.)/,
            (_, before: string, of: string) => before + (of === 'x' ? 'y' : 'x'),
          ),
        ),
      ),
  },
  {
    kind: 'a flipped byte in a hash',
    by: 'hash or chain',
    says: 'do not have the hash',
    change: (rows) =>
      changed(rows, places(rows).first, (row) => {
        const hash = Buffer.from(row.hash);
        hash[7]! ^= 1;
        return { ...row, hash };
      }),
  },
  {
    kind: 'the key of a stream in the index cleared',
    by: 'hash or chain',
    says: 'is not that of its stream',
    change: (rows) => changed(rows, places(rows).second, (row) => ({ ...row, key: new Uint8Array(16) })),
    there: 'cannot be done',
  },
  {
    kind: 'an id stored another way',
    by: 'hash or chain',
    says: 'is not stored as ids are',
    change: (rows) => changed(rows, places(rows).other, (row) => ({ ...row, idColumn: row.id })),
    there: 'cannot be done',
  },
  {
    kind: 'a type changed beside the bytes',
    by: 'hash or chain',
    says: 'its type is stored as',
    change: (rows) => changed(rows, places(rows).second, (row) => ({ ...row, type: 'MemoryForgotten' })),
    there: 'cannot be done',
  },
  {
    kind: 'events swapped between streams',
    by: 'seal',
    says: sealSays,
    change: (rows) => swapped(rows, places(rows).first, places(rows).other),
  },
  {
    kind: 'events swapped in a stream',
    by: 'hash or chain',
    says: 'what came before is gone',
    change: (rows) => swapped(rows, places(rows).first, places(rows).second),
    there: 'cannot be done',
  },
  {
    kind: 'an event removed',
    by: 'numbering',
    says: 'is missing or unreadable',
    change: (rows) => rows.filter((_, index) => index !== places(rows).other),
    there: { by: 'seal', says: 'some were taken out' },
  },
  {
    kind: 'an event removed, the numbers closed up',
    by: 'seal',
    says: 'some were taken out',
    change: (rows) => renumbered(rows.filter((_, index) => index !== places(rows).other)),
  },
  {
    kind: 'an event inserted',
    by: 'seal',
    says: sealSays,
    change(rows) {
      const { other, firstSeal } = places(rows);
      const id = '0199aaaa-0000-7000-8000-00000000ffff';
      const stream = rows[other]!.stream.replace(/[^-]{4}$/, 'ffff');
      const forged = rehashed({ ...rows[other]!, id, stream }, { ...parsed(rows[other]!), id, stream });
      return renumbered([...rows.slice(0, firstSeal), forged, ...rows.slice(firstSeal)]);
    },
  },
  {
    kind: 'an event duplicated',
    by: 'hash or chain',
    says: 'it is there twice, or out of order',
    change(rows) {
      const { first, firstSeal } = places(rows);
      return renumbered([...rows.slice(0, firstSeal), rows[first]!, ...rows.slice(firstSeal)]);
    },
  },
  {
    kind: 'the tail cut off',
    by: 'exported root',
    says: 'its end was cut off',
    change: (rows) => rows.slice(0, -4),
  },
  {
    kind: 'a stream dropped',
    by: 'numbering',
    says: 'is missing or unreadable',
    change: (rows) => rows.filter(({ stream }) => stream !== places(rows).stream),
    there: { by: 'seal', says: 'some were taken out' },
  },
  {
    kind: 'a stream dropped, the numbers closed up',
    by: 'seal',
    says: 'some were taken out',
    change: (rows) => renumbered(rows.filter(({ stream }) => stream !== places(rows).stream)),
  },
  {
    kind: 'a fork: another history from the middle on',
    by: 'exported root',
    says: 'are not those that the root was made of',
    change(rows) {
      const { firstSeal } = places(rows);
      const other = rows.map((row, index) =>
        index <= firstSeal || isSeal(row) ? row : rehashed(row, { ...parsed(row), principal: 'os:somebody-else' }),
      );
      return rewritten(other, { seals: 'forged' });
    },
  },
  {
    kind: 'history rewritten, chains made anew',
    by: 'seal',
    says: sealSays,
    change: (rows) =>
      rewritten(
        changed(rows, places(rows).first, (row) => rehashed(row, { ...parsed(row), principal: 'os:somebody-else' })),
        { seals: 'kept' },
      ),
  },
  {
    kind: 'history rewritten, chains and seals made anew',
    by: 'exported root',
    says: 'are not those that the root was made of',
    change: (rows) =>
      rewritten(
        changed(rows, places(rows).first, (row) => rehashed(row, { ...parsed(row), principal: 'os:somebody-else' })),
        { seals: 'forged' },
      ),
  },
  {
    kind: 'the same, with the signatures kept',
    by: 'seal',
    says: 'its signature is not of what it says',
    change: (rows) =>
      rewritten(
        changed(rows, places(rows).first, (row) => rehashed(row, { ...parsed(row), principal: 'os:somebody-else' })),
        { seals: 'forged with signatures' },
      ),
  },
  {
    kind: 'a recorded time changed',
    by: 'hash or chain',
    says: 'do not have the hash',
    change: (rows) =>
      changed(rows, places(rows).first, (row) =>
        withText(row, text(row).replace(parsed(row).recordedAt, later(parsed(row)).recordedAt)),
      ),
  },
  {
    kind: 'a recorded time changed, its event hashed anew',
    by: 'hash or chain',
    says: 'it was not written after the event that now stands before it',
    change: (rows) => changed(rows, places(rows).first, (row) => rehashed(row, later(parsed(row)))),
  },
  {
    kind: 'recorded times changed, chains made anew',
    by: 'seal',
    says: sealSays,
    change: (rows) =>
      rewritten(
        rows.map((row) => (row.stream === places(rows).stream ? rehashed(row, later(parsed(row))) : row)),
        { seals: 'kept' },
      ),
  },
];
