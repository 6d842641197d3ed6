import { expect, it } from 'vitest';
import { createOutput } from '../output.js';
import { progress } from './progress.js';

function recorder(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  return { written, stream };
}

it('is a bar on a terminal, taken away at the end', () => {
  const { written, stream } = recorder(true);
  let now = 0;
  const bar = progress(createOutput(false, stream, stream, {}), 'Importing', 'records', stream, () => now);
  bar.at(0, 0);
  now = 50;
  bar.at(10, 0.1);
  now = 1_000;
  bar.at(500, 0.5);
  bar.end();
  expect(written).toHaveLength(3);
  expect(written[1]).toBe('\r\u001b[KImporting [████████████░░░░░░░░░░░░] 500 records (50%), 500/s');
  expect(written[2]).toBe('\r\u001b[K');
});

it('is a plain line every five seconds elsewhere', () => {
  const { written, stream } = recorder(false);
  let now = 0;
  const bar = progress(createOutput(false, stream, stream, {}), 'Replaying', 'events', stream, () => now);
  for (now = 0; now <= 12_000; now += 1_000) bar.at(now);
  bar.end();
  expect(written).toEqual(['Replaying: 5,000 events, 1,000/s\n', 'Replaying: 10,000 events, 1,000/s\n']);
});
