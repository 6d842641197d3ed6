import { describe, expect, it } from 'vitest';
import { forgetInput } from '../forget.js';
import { searchInput } from '../search.js';
import { looseWriteInput, writeInput, writeItem } from '../write.js';
import { readInput } from './read-input.js';

const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('input', () => {
  it('comes back typed when it is right', () =>
    expect(readInput(writeInput, { content: 'x' })).toEqual({ content: 'x' }));

  it('with an unknown parameter is told the known ones, and the one that was meant', () => {
    expect(() => readInput(writeInput, { content: 'x', contnt: 1 })).toThrowError(
      refused(
        'unknown_parameter',
        /^contnt is no known parameter; the known ones are content, kind, key,.* Did you mean content\?$/,
      ),
    );
  });

  it('that is nested too deeply to be shown is still told what is accepted', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(() => readInput(writeInput, { content: deep })).toThrowError(
      refused('invalid_input', /^content is nested too deeply, but takes text, or an object\.$/),
    );
  });

  it('asks for no more tags than a memory can have', () => {
    const tags = Array.from({ length: 65 }, (_, count) => `t${count}`);
    const said = refused('too_many', /tags is a list of 65 entries, but takes a list of at most 64 entries/);
    expect(() => readInput(searchInput, { query: 'x', tags })).toThrowError(said);
    expect(() => readInput(forgetInput, { reason: 'r', filter: { tags } })).toThrowError(said);
  });

  it('with an unknown parameter inside a parameter is told that one’s known ones', () => {
    expect(() => readInput(forgetInput, { reason: 'r', filter: { sesion: 's' } })).toThrowError(
      refused('unknown_parameter', /^sesion is no known parameter; the known ones of filter are kind, session_id,/),
    );
    expect(() => readInput(writeInput, { items: [{ content: 'x' }, { content: 'y', tag: 1 }] })).toThrowError(
      refused('unknown_parameter', /^tag is no known parameter; the known ones of items\[1\] are content, kind, key,/),
    );
  });

  it('of the wrong kind is told the parameter, what was given and what is accepted', () => {
    expect(() => readInput(writeInput, { content: 'x', kind: 'dream' })).toThrowError(
      refused('invalid_input', /^kind is "dream", but takes one of working, .*, experience\.$/),
    );
    expect(() => readInput(searchInput, {})).toThrowError(refused('invalid_input', /^query is missing: it takes text/));
    expect(() => readInput(searchInput, 'hello')).toThrowError(
      refused('invalid_input', /^The input is "hello", but takes an object with query, /),
    );
  });

  it('is told of all that is wrong with it, and where it stands in the call', () => {
    expect(() => readInput(writeItem, { content: 7, importance: 2 }, { within: ['items', 3] })).toThrowError(
      expect.objectContaining({
        message:
          'items[3].content is 7, but takes text, or an object. items[3].importance is 2, but takes a number from 0 to 1.',
        details: { parameter: 'items[3].content', parameters: ['items[3].content', 'items[3].importance'] },
      }),
    );
  });

  it('that is too much is told how much is taken', () => {
    expect(() => readInput(writeInput, { content: 'x', tags: Array(65).fill('t') })).toThrowError(
      refused('too_many', /^tags is a list of 65 entries, but takes a list of at most 64 entries/),
    );
    expect(() => readInput(writeInput, { content: 'x', step: 's'.repeat(513) })).toThrowError(
      refused(
        'invalid_input',
        /^step is .*\(513 characters\), but takes text of 1 to 512 characters, or a whole number/,
      ),
    );
  });

  it('is quoted by the schema that is listed, where it is read piece by piece', () =>
    expect(() => readInput(looseWriteInput, { items: [] }, { listed: writeInput })).toThrowError(
      refused('invalid_input', /^items is \[\], but takes a list of 1 to 500 entries, each an object with content,/),
    ));
});
