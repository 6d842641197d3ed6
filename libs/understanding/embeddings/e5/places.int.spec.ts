import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { shippedPlaces } from './places.js';

function packageWith(...files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'places-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

it.each(['dist/bundle', 'dist/bundle/chunks', 'dist/bundle/server'])('finds what is shipped from %s', (from) => {
  const root = packageWith('models/kernels/scan.wasm', 'dist/bundle/e5-worker.js', `${from}/any.js`);
  expect(shippedPlaces(join(root, from))).toEqual({
    folder: join(root, 'models/e5-small'),
    kernels: join(root, 'models/kernels'),
    worker: join(root, 'dist/bundle/e5-worker.js'),
  });
});

it('finds no program of the thread beside sources', () => {
  expect(shippedPlaces()).not.toHaveProperty('worker');
});

it('says where it looked when nothing was shipped', () => {
  const root = packageWith('dist/bundle/main.js');
  expect(() => shippedPlaces(join(root, 'dist/bundle'))).toThrow(/looked upwards from .*dist\/bundle/);
});
