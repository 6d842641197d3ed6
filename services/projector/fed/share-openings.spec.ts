import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import { shareOpenings } from './share-openings.js';

const vault = {} as Vault;
const stored = (position: string, bytes = 100): StoredEvent => ({
  id: `e${position}`,
  stream: 's',
  revision: 0,
  type: 'MemoryRecorded',
  bytes: new Uint8Array(bytes),
  hash: new Uint8Array(32),
  position,
});

/** Opens nothing, and counts how often it was asked to. */
function counting(fails: (position: string) => boolean = () => false) {
  const opened: string[] = [];
  const prepare = async (_vault: Vault, { position }: StoredEvent) => {
    opened.push(position);
    if (fails(position)) throw new Error(`no ${position}`);
    return undefined;
  };
  return { opened, prepare };
}

describe('openings that several share', () => {
  it('are made once while all ask, and forgotten then', async () => {
    const { opened, prepare } = counting();
    const openings = shareOpenings(prepare, 3);
    await Promise.all([1, 2, 3].map(() => openings.prepare(vault, stored('1'))));
    expect(opened).toEqual(['1']);
    await openings.prepare(vault, stored('1'));
    expect(opened).toEqual(['1', '1']);
  });

  it('may be made before anybody asks', async () => {
    const { opened, prepare } = counting();
    const openings = shareOpenings(prepare, 2);
    await openings.ahead(vault, stored('1'));
    await openings.ahead(vault, stored('1'));
    await openings.prepare(vault, stored('1'));
    await openings.prepare(vault, stored('1'));
    expect(opened).toEqual(['1']);
  });

  it('that failed are tried anew', async () => {
    let isThere = false;
    const { opened, prepare } = counting(() => !isThere);
    const openings = shareOpenings(prepare, 2);
    await openings.ahead(vault, stored('1'));
    await expect(openings.prepare(vault, stored('1'))).rejects.toThrow('no 1');
    isThere = true;
    await expect(openings.prepare(vault, stored('1'))).resolves.toBeUndefined();
    expect(opened).toEqual(['1', '1', '1']);
  });

  it('are bounded by their bytes: the oldest goes first', async () => {
    const { opened, prepare } = counting();
    const openings = shareOpenings(prepare, 2);
    for (const position of ['1', '2', '3', '4', '5', '6']) await openings.prepare(vault, stored(position, 1024 * 1024));
    for (const position of ['6', '5', '4', '3', '1']) await openings.prepare(vault, stored(position, 1024 * 1024));
    expect(opened).toEqual(['1', '2', '3', '4', '5', '6', '1']);
  });
});
