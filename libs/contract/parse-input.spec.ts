import { describe, expect, it } from 'vitest';
import { forgetInput } from './forget.js';
import { parseInput } from './parse-input.js';
import { searchInput } from './search.js';
import { writeInput } from './write.js';

const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('input', () => {
  it('comes back typed when it is right', () =>
    expect(parseInput(writeInput, { content: 'x' })).toEqual({ content: 'x' }));

  it('with an unknown parameter is told the known ones', () =>
    expect(() => parseInput(writeInput, { content: 'x', contnt: 1 })).toThrowError(
      refused('unknown_parameter', /^"contnt": no such parameter\. Known: content, kind, key,/),
    ));

  it('with an unknown parameter inside a parameter is told that one’s known ones', () => {
    expect(() => parseInput(forgetInput, { reason: 'r', filter: { sesion: 's' } })).toThrowError(
      refused('unknown_parameter', /^"filter\.sesion": no such parameter\. Known: kind, session_id,/),
    );
    expect(() => parseInput(writeInput, { items: [{ content: 'x' }, { content: 'y', tag: 1 }] })).toThrowError(
      refused('unknown_parameter', /^"items\.1\.tag": no such parameter\. Known: content, kind, key,/),
    );
  });

  it('of the wrong kind is told the parameter, what was given and what is accepted', () => {
    expect(() => parseInput(writeInput, { content: 'x', kind: 'dream' })).toThrowError(
      refused('invalid_input', /^kind is "dream"\. .*"working".*"experience"/),
    );
    expect(() => parseInput(writeInput, { content: 7 })).toThrowError(
      refused('invalid_input', /^content is 7\. Expected text or an object\./),
    );
    expect(() => parseInput(searchInput, {})).toThrowError(refused('invalid_input', /^query is missing\./));
    expect(() => parseInput(searchInput, 'hello')).toThrowError(refused('invalid_input', /^input is "hello"\./));
  });

  it('that is too much is told the limit and what was given', () => {
    expect(() => parseInput(writeInput, { content: 'x', tags: Array(65).fill('t') })).toThrowError(
      refused('too_many', /^tags has 65 entries; at most 64 are taken\./),
    );
    expect(() => parseInput(writeInput, { content: 'x', key: 'k'.repeat(513) })).toThrowError(
      refused('too_large', /^key has 513 characters; at most 512 are taken\./),
    );
    expect(() => parseInput(writeInput, { content: 'x', step: 's'.repeat(513) })).toThrowError(
      refused('too_large', /^step has 513 characters/),
    );
  });
});
