import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memoryStream, parseStreamName, type StreamName, streamName } from './stream-name.js';

interface Vectors {
  readonly names: readonly (StreamName & { readonly name: string })[];
  readonly refused: readonly string[];
}
const vectors = JSON.parse(readFileSync(new URL('./vectors/stream-names.json', import.meta.url), 'utf8')) as Vectors;

describe('a stream name', () => {
  it.each(vectors.names)('of a $category is fixed, and can be taken apart', ({ name, ...parts }) => {
    expect(streamName(parts)).toBe(name);
    expect(parseStreamName(name)).toEqual(parts);
  });

  it('of a memory is made without a check, alike', () => {
    const { name, ledger, bank, id } = vectors.names.find(({ category }) => category === 'memory')!;
    expect(memoryStream(ledger, bank, id)).toBe(name);
  });

  it.each(vectors.refused)('is never %j', (name) => {
    expect(() => parseStreamName(name)).toThrow(/is no stream name: hl\.<ledger>\.<bank>\.<category>-<id>/);
  });

  it.each([
    { ledger: 'l', bank: 'b-1', category: 'memory', id: '1' },
    { ledger: 'l.m', bank: 'b1', category: 'memory', id: '1' },
    { ledger: 'l', bank: 'b1', category: 'memory', id: '' },
    { ledger: 'l', bank: '张伟', category: 'memory', id: '1' },
  ] satisfies StreamName[])('refuses parts that would not come back: %j', (parts) => {
    expect(() => streamName(parts)).toThrow(TypeError);
  });
});
