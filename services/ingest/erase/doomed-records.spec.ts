import { describe, expect, it } from 'vitest';
import { namesOne } from './doomed-records.js';

describe('a question that names a person', () => {
  it.each([
    ['where does Ada live', ['Ada'], true],
    ['where does ADA live', ['ada'], true],
    ['where does Ａｄａ live', ['Ada'], true],
    ['韩梅梅喜欢什么', ['韩梅梅'], true],
    ['{"subject":"Ada Lovelace"}', ['lovelace'], true],
    ['where does Bob live', ['Ada', 'Lovelace'], false],
    [undefined, ['Ada'], false],
    ['anything', [], false],
  ])('%j and %j: %s', (text, names, expected) => expect(namesOne(text, names)).toBe(expected));
});
