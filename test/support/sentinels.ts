import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How words are planted: over MCP, and by verbs of the command. */
export interface Garden {
  call(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ isError: boolean; structured: Record<string, unknown>; text: string }>;
  run(words: string[]): Promise<{ code: number | null; stderr: string; stdout: string }>;
  /** Where a file to be imported may be written; it is removed. */
  readonly folder: string;
}

export interface Sentinels {
  /** All words that are planted. */
  readonly words: readonly string[];
  /** Whom everything is about: a word, too. */
  readonly person: string;
  /** Recalls whose questions hold words. */
  readonly queries: number;
  /** Memories that are planted so far. */
  memories(): number;
  plant(garden: Garden): Promise<void>;
}

/**
 * Fifty words that stand nowhere else, half of them Chinese, in every place where a person can write: content, metadata, tags, keys, names
 * of people and their aliases, actions, reasons, questions and their filters, idempotency keys, names of imported files and records. Ids of
 * sessions, tasks and steps are in the clear, which docs/tools.md says: no word is put there.
 */
export function sentinels(): Sentinels {
  const words: string[] = [];
  const word = (chinese: boolean): string => {
    const one = chinese ? han() : latin();
    words.push(one);
    return one;
  };
  let next = 0;
  const some = () => word(next++ % 2 === 1);
  const person = `Person ${some()}`;
  const alias = some();
  let memories = 0;

  async function write(garden: Garden, args: Record<string, unknown>): Promise<string> {
    const written = await garden.call('memory_write', { subjects: [person], ...args });
    if (written.structured.status !== 'stored') throw new Error(written.text);
    if (args.memory_id === undefined && !String(written.structured.version).match(/[2-9]/)) memories += 1;
    return String(written.structured.memory_id);
  }

  async function did(garden: Garden, tool: string, args: Record<string, unknown>): Promise<void> {
    const done = await garden.call(tool, args);
    if (done.isError) throw new Error(done.text);
  }

  const questions: string[] = [];
  const planting: ((garden: Garden) => Promise<void>)[] = [];
  const plan = (step: (garden: Garden) => Promise<void>) => planting.push(step);

  // Made beforehand, so that all words are known before the first is planted.
  for (let at = 0; at < 6; at++) {
    const [content, tag, key, note] = [some(), some(), some(), some()];
    plan(async (garden) => {
      await write(garden, { content: `says ${content}`, tags: [tag], key: `slot.${key}`, metadata: { note: [note] } });
    });
  }
  {
    const [first, second, why, back, note, once] = [some(), some(), some(), some(), some(), some()];
    plan(async (garden) => {
      const id = await write(garden, { content: { fact: first, nested: { deep: [second] } }, kind: 'episodic' });
      await did(garden, 'memory_forget', { memory_id: id, reason: `because ${why}` });
      await did(garden, 'memory_restore', { memory_id: id, reason: `after all ${back}` });
      await did(garden, 'memory_feedback', { memory_id: id, outcome: 'useful', note, idempotency_key: once });
    });
  }
  {
    const [content, aside, action] = [some(), some(), some()];
    plan(async (garden) => {
      const id = await write(garden, {
        content: `step ${content}`,
        kind: 'working',
        session_id: 's1',
        step: 1,
        action: `did ${action}`,
      });
      await did(garden, 'memory_forget', { memory_id: id, reason: aside, mode: 'archive' });
    });
  }
  {
    const [held, why] = [some(), some()];
    plan(async (garden) => {
      const id = await write(garden, { content: held });
      const done = await garden.run(['review', 'quarantine', id, '--reason', why]);
      if (done.code !== 0) throw new Error(done.stderr);
    });
  }
  {
    const [content, key, derived] = [some(), some(), some()];
    plan(async (garden) => {
      const id = await write(garden, { content, idempotency_key: `once ${key}` });
      await write(garden, { content: `summary ${derived}`, derived_from: [id], subjects: undefined });
    });
  }
  {
    const aka = some();
    plan(async (garden) => {
      const done = await garden.run(['subject', 'alias', person, alias]);
      if (done.code !== 0) throw new Error(done.stderr);
      await write(garden, { content: `known as ${aka}`, subjects: [alias] });
    });
  }
  {
    const [file, source, record, content] = [some(), some(), some(), some()];
    plan(async (garden) => {
      const folder = join(garden.folder, file);
      mkdirSync(folder);
      const path = join(folder, `${file}.jsonl`);
      writeFileSync(path, `${JSON.stringify({ id: record, content: `read ${content}`, subjects: [person] })}\n`);
      const done = await garden.run(['import', path, '--format', 'jsonl', '--source', source]);
      rmSync(folder, { recursive: true });
      if (done.code !== 0) throw new Error(done.stderr + done.stdout);
      memories += 1;
    });
  }
  while (words.length < 50) questions.push(some());
  plan(async (garden) => {
    for (const [at, question] of questions.entries())
      await did(garden, 'memory_search', {
        // Served a memory, filtered by the person, or named them.
        query: at % 3 === 0 ? `says ${question} ${words[2]}` : at % 3 === 1 ? question : `${question} ${person}`,
        ...(at % 3 === 1 ? { subject: person, tags: [question] } : {}),
      });
  });

  return {
    words,
    person,
    queries: questions.length,
    memories: () => memories,
    async plant(garden) {
      for (const step of planting) await step(garden);
    },
  };
}

function latin(): string {
  const letters = 'bcdfghjklmnpqrstvwxz';
  const vowels = 'aeiou';
  return Array.from({ length: 7 }, () => letters[randomInt(letters.length)]! + vowels[randomInt(vowels.length)]!).join(
    '',
  );
}

function han(): string {
  return Array.from({ length: 6 }, () => String.fromCodePoint(0x4e00 + randomInt(0x5000))).join('');
}
