import { describe, expect, it } from 'vitest';
import { fraction, jsonObject, listed, parameters, someOf, span, wholeNumber } from './options.js';

describe('values of options', () => {
  it('are read strictly', () => {
    expect(wholeNumber('12')).toBe(12);
    for (const wrong of ['-1', '1.5', '1e3', '', 'x']) expect(() => wholeNumber(wrong)).toThrow('whole number');
    expect(fraction('.5')).toBe(0.5);
    for (const wrong of ['1.1', '-0.1', '', ' ', 'half', 'NaN']) expect(() => fraction(wrong)).toThrow('from 0 to 1');
    expect(jsonObject('{"a":[1]}')).toEqual({ a: [1] });
    for (const wrong of ['[]', 'null', '"a"', '{a:1}', '']) expect(() => jsonObject(wrong)).toThrow('JSON object');
  });

  it('may be spans, open at either end', () => {
    expect(span('2026-09-01/2026-10-01')).toEqual({ from: '2026-09-01', to: '2026-10-01' });
    expect(span('/2026-10-01')).toEqual({ to: '2026-10-01' });
    expect(span('2026-09-01/')).toEqual({ from: '2026-09-01' });
    for (const wrong of ['2026-09-01', '/', '', 'a/b/c']) expect(() => span(wrong)).toThrow('a slash between');
  });

  it('may be lists, repeated or separated by commas', () => {
    expect(listed('a, b,', undefined)).toEqual(['a', 'b']);
    expect(listed('c', ['a', 'b'])).toEqual(['a', 'b', 'c']);
    expect(someOf(['x', 'y'])('y,x', undefined)).toEqual(['y', 'x']);
    expect(() => someOf(['x', 'y'])('z', undefined)).toThrow('"z" is none of x, y');
  });
});

it('become the parameters of a tool', () => {
  expect(parameters({ validAt: 'x', topK: 3, home: '/h' }, ['valid_at', 'top_k', 'basis'])).toEqual({
    valid_at: 'x',
    top_k: 3,
  });
});
