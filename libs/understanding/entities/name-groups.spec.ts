import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { namesOfGroups } from './name-groups.js';

const groups = [['小王', '王伟'], ['Bob', 'Robert Smith'], ['Falcon']];
const said = (text: string) => namesOfGroups(text, groups).map(({ name, others }) => [name, ...others]);

describe('names of groups', () => {
  it.each([
    ['小王什么时候来', [['小王', '王伟']]],
    ['when does bob come?', [['bob', 'robert smith']]],
    ['Is ROBERT  SMITH in?', [['robert smith', 'bob']]],
    [
      "Bob's office, and 王伟's",
      [
        ['王伟', '小王'],
        ['bob', 'robert smith'],
      ],
    ],
    ['who owns Falcon', [['falcon']]],
  ])('are found in: %s', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it.each(['Bobby and the bobsled', 'Robert Smithson', '王先生'])('are not in: %s', (text) => {
    expect(said(text)).toEqual([]);
  });

  it('are put together where one stands in several groups', () => {
    expect(
      namesOfGroups('bob', [
        ['Bob', 'Robert'],
        ['Bob', 'Bobby Lee'],
      ]),
    ).toEqual([{ name: 'bob', others: ['robert', 'bobby lee'] }]);
  });

  test.prop([fc.string(), fc.array(fc.array(fc.string(), { maxLength: 3 }), { maxLength: 4 })])(
    'never name themselves, nor nothing',
    (text, any) => {
      for (const { name, others } of namesOfGroups(text, any)) {
        expect(name).not.toBe('');
        expect(others).not.toContain(name);
        expect(others).not.toContain('');
      }
    },
  );
});
