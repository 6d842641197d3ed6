import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { materialOf } from './material.js';
import { namedMemories } from './named-memories.js';
import { type QualitySet, setsIn } from './sets.js';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'hl-bench-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

function put(name: string, files: Record<string, readonly unknown[]>): QualitySet {
  mkdirSync(join(data, name));
  for (const [file, lines] of Object.entries(files))
    writeFileSync(join(data, name, file), lines.map((line) => JSON.stringify(line)).join('\n'));
  return setsIn([data], [name])[0]!;
}

const turn = (id: string, conv_id: string) => ({
  id,
  conv_id,
  session_id: `${conv_id}:s`,
  timestamp: '2023-05-08',
  speaker: 'Ana',
  text: `said ${id}`,
});
const queries = [{ id: 'q', conv_id: 'c1', text: '?', relevant_ids: ['a'] }];

it('finds sets by their files, whatever their names', () => {
  put('heldback', { 'corpus.jsonl': [turn('a', 'c1')], 'queries.jsonl': queries });
  put('spans', { 'facts.jsonl': [], 'queries.jsonl': queries });
  put('own', { 'memories.jsonl': [], 'queries.jsonl': queries });
  put('imports', { 'memories.jsonl': [] });
  const forms = setsIn([data, join(data, 'nowhere')]).map(({ name, form }) => [name, form]);
  expect(forms).toEqual([
    ['heldback', 'turns'],
    ['own', 'memories'],
    ['spans', 'facts'],
  ]);
});

it('gives each conversation a bank, or all of them one', () => {
  const set = put('talk', { 'corpus.jsonl': [turn('a', 'c1'), turn('b', 'c2')], 'queries.jsonl': queries });
  expect(materialOf(set)).toMatchObject({ format: 'turns', lines: [{ conv_id: 'c1' }, { conv_id: 'c2' }] });
  expect(materialOf(set).pool).toBeUndefined();
  expect(materialOf(set, { pool: true })).toMatchObject({ pool: 'pool', texts: [{ bank: 'pool' }, { bank: 'pool' }] });
  expect(materialOf(set).texts[0]).toEqual({ id: 'a', bank: 'c1', text: 'Ana: said a', session: 'c1:s' });
});

it('imports facts with the span in which they held, and without what would tell them apart otherwise', () => {
  const fact = { id: 'f', conv_id: 'q1', text: 'host: Rio', subject: 'host', valid_from: '2016-01-01', valid_to: null };
  const set = put('spans', { 'facts.jsonl': [fact], 'queries.jsonl': queries });
  expect(materialOf(set)).toMatchObject({
    format: 'jsonl',
    pool: 'pool',
    lines: [{ id: 'f', conv_id: 'pool', kind: 'semantic', content: 'host: Rio', valid_from: '2016-01-01' }],
  });
  expect(materialOf(set).lines[0]).not.toHaveProperty('valid_to');
});

it('adds what a set names beside its own, with what is to be forgotten', () => {
  const set = put('own', {
    'memories.jsonl': [{ id: 'own-1', conv_id: 'p', content: 'mine' }],
    'queries.jsonl': queries,
    'more.jsonl': [{ id: 't-1', content: { trigger: 'x' } }, { forget: { id: 't-1' } }],
  });
  writeFileSync(join(set.folder, 'set.json'), '{"also":["more.jsonl"]}');
  const { lines, texts } = materialOf(set);
  expect(lines.map(({ conv_id }) => conv_id)).toEqual(['p', 'p', 'p']);
  expect(texts.map(({ text }) => text)).toEqual(['mine', '{"trigger":"x"}']);
});

it('writes the memories of another set down in sessions, without their keys and what is forgotten by them', () => {
  const own = [
    { id: 'a', content: 'one', key: 'k', speaker: 'Ana' },
    { id: 'b', content: 'two', session_id: 'task' },
    { forget: { key: 'k' } },
  ];
  put('own', { 'memories.jsonl': own, 'queries.jsonl': queries });
  const noted = put('noted', { 'set.json': [{ of: '../own', sessions: 1 }] });
  expect(noted).toMatchObject({ name: 'noted', form: 'memories' });
  expect(materialOf(noted).lines).toEqual([
    { id: 'a', content: 'one', session_id: 's0', conv_id: 'pool' },
    { id: 'b', content: 'two', session_id: 's0', conv_id: 'pool' },
  ]);
});

it('mixes the same unrelated memories into each bank, in its own form', () => {
  const set = put('talk', { 'corpus.jsonl': [turn('a', 'c1'), turn('b', 'c2')], 'queries.jsonl': queries });
  const { lines } = materialOf(set, { mixed: 30 });
  expect(lines).toHaveLength(62);
  const [one, other] = ['c1', 'c2'].map((bank) =>
    lines.filter(({ conv_id, id }) => conv_id === bank && String(id).startsWith('mixed:')).map(({ text }) => text),
  );
  expect(one).toHaveLength(30);
  expect(one).toEqual(other);
  expect(lines.find(({ id }) => id === 'mixed:25')).toMatchObject({ session_id: 'mixed:1', timestamp: '2023-05-08' });
});

it('makes one pool of many small banks before it mixes', () => {
  const many = Array.from({ length: 20 }, (_, at) => turn(`t${at}`, `c${at}`));
  const set = put('small', { 'corpus.jsonl': many, 'queries.jsonl': queries });
  expect(materialOf(set, { mixed: 5 })).toMatchObject({ pool: 'pool' });
  expect(materialOf(set, { mixed: 5 }).lines).toHaveLength(25);
});

it('writes named facts as tags and slots, what was replaced before what replaced it', () => {
  const facts = [
    { id: 'new', text: 'Postgres', canonical_name: 'database', aliases: ['db'], superseded_by: null, pinned: true },
    { id: 'old', text: 'MySQL', canonical_name: 'database', aliases: ['db', ' '], superseded_by: 'new' },
    { id: 'alone', text: 'tea', canonical_name: 'drink', aliases: null, superseded_by: 'nobody' },
  ];
  const [old, current, alone] = namedMemories(facts);
  expect(old).toMatchObject({ id: 'old', tags: ['database', 'db'], key: 'database (new)' });
  expect(current).toMatchObject({ id: 'new', key: 'database (new)', importance: 0.9 });
  expect(alone).toEqual({ id: 'alone', kind: 'semantic', content: 'tea', tags: ['drink'] });
});

it('ends with facts that replace each other in a circle', () => {
  const facts = [
    { id: 'a', text: 'a', superseded_by: 'b' },
    { id: 'b', text: 'b', superseded_by: 'a' },
  ];
  expect(namedMemories(facts).map(({ id }) => id)).toEqual(['a', 'b']);
});

it('takes the first of so many conversations that follow each other, where asked to', () => {
  const turns = ['c1', 'c2', 'c1', 'c3', 'c4', 'c5'].map((conversation, at) => turn(`t${at}`, conversation));
  const set = put('parts', { 'corpus.jsonl': turns, 'queries.jsonl': queries });
  expect(materialOf(set, { firstOf: 2 }).texts.map(({ id }) => id)).toEqual(['t0', 't2', 't3', 't5']);
});
