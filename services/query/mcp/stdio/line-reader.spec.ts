import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { type Line, lineReader } from './line-reader.js';

function read(chunks: Buffer[], maxBytes = 1_000_000): Line[] {
  const lines: Line[] = [];
  const reader = lineReader(maxBytes, (line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return lines;
}

test.prop([
  fc.array(fc.string({ unit: 'binary' }).filter((s) => s.trim() !== '' && !/[\n\r]/.test(s))),
  fc.array(fc.nat(40)),
])('finds the same lines however the bytes are cut', (texts, cuts) => {
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
  const chunks: Buffer[] = [];
  let from = 0;
  for (const cut of cuts) {
    chunks.push(bytes.subarray(from, from + cut));
    from += cut;
  }
  chunks.push(bytes.subarray(from));
  const expected = texts.map((text) => ({ text: Buffer.from(text).toString('utf8') }));
  expect(read(chunks)).toEqual(expected);
});

it('takes a last line without its newline', () =>
  expect(read([Buffer.from('a\nb')])).toEqual([{ text: 'a' }, { text: 'b' }]));

it('skips empty lines', () => expect(read([Buffer.from('\n \r\na\n')])).toEqual([{ text: 'a' }]));

it('keeps of a line that is too long only its ends, and reads on after it', () => {
  const long = Buffer.from(`{"id":1${'x'.repeat(100_000)}"end"}`);
  const pieces = [long.subarray(0, 700), long.subarray(700, 60_000), long.subarray(60_000), Buffer.from('\nnext\n')];
  const [first, second] = read(pieces, 1_000);
  expect(first).toMatchObject({ bytes: long.length, head: expect.stringMatching(/^\{"id":1x{505}$/) });
  expect((first as { tail: string }).tail).toMatch(/x"end"\}$/);
  expect(second).toEqual({ text: 'next' });
});
