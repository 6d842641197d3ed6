import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { analyseDocument } from '#understanding/terms/analyse-document.js';
import { analyseQuestion } from '#understanding/terms/analyse-question.js';
import { historyInput } from './history.js';
import { readInput } from './input/read-input.js';
import { searchInput } from './search.js';
import { parseMillis } from './time.js';
import { type WriteItem, writeItem } from './write.js';

type SampleLine = WriteItem & { readonly id: string };
interface ForgetLine {
  readonly forget: { readonly id: string; readonly reason: string };
}

const file = (name: string) => readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
const linesOf = (name: string) =>
  file(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SampleLine | ForgetLine);
const isForget = (line: SampleLine | ForgetLine): line is ForgetLine => 'forget' in line;
const isMemory = (line: SampleLine | ForgetLine): line is SampleLine => !isForget(line);

const lines = linesOf('team.jsonl');
const memories = lines.filter(isMemory);
const corrections = linesOf('team-correction.jsonl').filter(isMemory);
const textOf = ({ content }: WriteItem) => (typeof content === 'string' ? content : Object.values(content).join('\n'));
const validFrom = ({ valid_from, occurred_at }: WriteItem) => parseMillis('valid_from', (valid_from ?? occurred_at)!);

describe('the sample', () => {
  it.each([...memories, ...corrections].map((line) => ({ line, id: line.id })))(
    '$id is a write with a natural key',
    ({ line }) => {
      const { id, ...item } = line;
      expect(z.string().min(1).parse(id)).toBe(id);
      expect(readInput(writeItem, item)).toEqual(item);
      for (const name of ['occurred_at', 'valid_from', 'valid_to'] as const)
        if (item[name] !== undefined) expect(parseMillis(name, item[name])).toBeGreaterThan(0);
      if (item.valid_to) expect(parseMillis('valid_to', item.valid_to)).toBeGreaterThan(validFrom(item));
    },
  );

  it('names each record and each step once, in the order of time', () => {
    const ids = [...memories, ...corrections].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const steps = memories
      .filter(({ action }) => action)
      .map((line) => [line.session_id, line.step, line.action].join('\n'));
    expect(new Set(steps).size).toBe(steps.length);
    const times = memories.map(({ occurred_at }) => parseMillis('occurred_at', occurred_at!));
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('holds about 150 memories, a good third of them Chinese, of every kind', () => {
    const distinct = new Set(memories.map(({ key, id }) => key ?? id)).size;
    expect(distinct).toBeGreaterThan(140);
    const chinese = memories.filter((line) => /\p{Script=Han}/u.test(textOf(line))).length;
    expect(chinese / memories.length).toBeGreaterThan(0.3);
    expect(new Set(memories.map(({ kind }) => kind))).toEqual(
      new Set(['semantic', 'episodic', 'experience', 'working']),
    );
  });

  it('forgets a memory that it held before, and that fills no slot', () => {
    const forgets = lines.filter(isForget);
    expect(forgets).toHaveLength(1);
    const at = lines.findIndex(isForget);
    const gone = lines
      .slice(0, at)
      .filter(isMemory)
      .find(({ id }) => id === forgets[0]!.forget.id);
    expect(gone).toBeDefined();
    expect(gone?.key).toBeUndefined();
    expect(forgets[0]!.forget.reason).not.toBe('');
  });

  it('is corrected in hindsight: about a time before that of the line that it corrects', () => {
    for (const correction of corrections) {
      const corrected = memories.find(({ key }) => key === correction.key);
      expect(corrected).toBeDefined();
      expect(validFrom(correction)).toBeLessThan(validFrom(corrected!));
    }
  });
});

describe('the questions about the sample', () => {
  interface Question {
    readonly title: string;
    readonly tool: 'memory_search' | 'memory_history';
    readonly arguments: Record<string, unknown>;
    readonly note: string;
  }
  const questions = JSON.parse(file('questions.json')) as Question[];

  it.each(questions)('$title: takes what its tool takes', (question) => {
    const schema = { memory_search: searchInput, memory_history: historyInput }[question.tool];
    expect(readInput(schema as z.ZodObject, question.arguments)).toEqual(question.arguments);
  });

  it('ask about slots that are there', () => {
    const asked = questions.filter(({ tool }) => tool === 'memory_history').map(({ arguments: { key } }) => key);
    expect(asked.length).toBeGreaterThan(0);
    for (const key of asked) expect(memories.filter((line) => line.key === key).length).toBeGreaterThan(1);
  });

  it('end with one of which no content word occurs', () => {
    const terms = [...analyseQuestion(questions.at(-1)!.arguments.query as string).counts.keys()];
    expect(terms.length).toBeGreaterThan(2);
    const known = new Set<string>();
    for (const line of [...memories, ...corrections])
      for (const text of [
        textOf(line),
        line.key ?? '',
        ...(line.tags ?? []),
        ...(line.subjects ?? []),
        JSON.stringify(line.metadata ?? {}),
      ])
        for (const term of analyseDocument(text).counts.keys()) known.add(term);
    expect(terms.filter((term) => known.has(term))).toEqual([]);
  });
});
