import { describe, expect, it } from 'vitest';
import { phraseOf, relationPack } from './relation-pack.js';
import { relationsOf } from './relations-of.js';
import { extend, shippedPacks, shippedVocabulary } from './vocabulary.js';

const brewing = {
  name: 'brewing',
  relations: [{ name: 'roasted_by', holds: 'one', halfLifeDays: 90, en: ['is roasted by'], zh: ['由{o}烘焙'] }],
};

describe('the packs that ship', () => {
  it.each(shippedPacks.map((pack) => [pack.name, pack] as const))(
    '%s is one, in both languages, with a reason per half-life',
    (_, pack) => {
      const { relations } = relationPack.parse(pack);
      for (const { name, en, zh, why } of relations) {
        expect(en.length, name).toBeGreaterThan(0);
        expect(zh.length, name).toBeGreaterThan(0);
        expect(why, name).toBeTruthy();
      }
    },
  );

  it('name each relation once', () => {
    const names = shippedPacks.flatMap(({ relations }) => relations.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });

  it('say which relations hold one value and which many', () => {
    const { relations } = shippedVocabulary();
    expect(relations.get('lives_in')!.holds).toBe('one');
    expect(relations.get('uses')!.holds).toBe('many');
    expect(relations.get('status')!.halfLifeDays).toBeLessThan(relations.get('birthday')!.halfLifeDays);
  });
});

describe('extend', () => {
  it('adds a bank’s own relations and leaves the shipped vocabulary alone', () => {
    const vocabulary = extend(shippedVocabulary(), brewing);
    expect(relationsOf('The Sidamo is roasted by Priya.', { vocabulary })).toMatchObject([
      { subject: 'sidamo', relation: 'roasted_by', object: 'priya', holds: 'one', halfLifeDays: 90 },
    ]);
    expect(relationsOf('这批豆子由王伟烘焙', { vocabulary })).toMatchObject([
      { relation: 'roasted_by', object: '王伟' },
    ]);
    expect(relationsOf('The Sidamo is roasted by Priya.')).toEqual([]);
  });

  it('gives a relation that is there more phrases and other rules', () => {
    const more = {
      name: 'nomads',
      relations: [{ name: 'lives_in', holds: 'many', halfLifeDays: 30, en: ['camps in'] }],
    };
    const vocabulary = extend(shippedVocabulary(), more);
    expect(relationsOf('Priya camps in Oslo', { vocabulary })[0]).toMatchObject({
      relation: 'lives_in',
      holds: 'many',
      halfLifeDays: 30,
    });
    expect(relationsOf('Priya lives in Oslo', { vocabulary })[0]).toMatchObject({
      relation: 'lives_in',
      holds: 'many',
    });
  });

  it.each([
    [{ name: 'x', relations: [] }],
    [{ name: 'x', relations: [{ name: 'Lives In', holds: 'one', halfLifeDays: 1 }] }],
    [{ name: 'x', relations: [{ name: 'a', holds: 'some', halfLifeDays: 1 }] }],
    [{ name: 'x', relations: [{ name: 'a', holds: 'one', halfLifeDays: 0 }] }],
    [{ name: 'x', relations: [{ name: 'a', holds: 'one', halfLifeDays: 1, en: ['{s}{o}'] }] }],
    [{ name: 'x', relations: [{ name: 'a', holds: 'one', halfLifeDays: 1, colour: 'red' }] }],
    ['nothing'],
  ])('refuses %j', (pack) => {
    expect(() => extend(shippedVocabulary(), pack)).toThrow();
  });
});

describe('phraseOf', () => {
  it.each([
    ['lives in', { order: 'subject first', between: 'lives in', through: '', tail: '' }],
    ['在{o}工作', { order: 'subject first', between: '在', through: '', tail: '工作' }],
    ['{o} is {s} boss', { order: 'object first', between: 'is', through: '', tail: 'boss' }],
    ['moved from {x} to {o}', { order: 'subject first', between: 'moved from', through: 'to', tail: '' }],
    ['{s}{o}', undefined],
    ['{x} to {o}', undefined],
    ['{o}{o}', undefined],
    ['the {s} of {o}', undefined],
  ])('%s', (words, phrase) => {
    expect(phraseOf(words)).toEqual(phrase);
  });
});
