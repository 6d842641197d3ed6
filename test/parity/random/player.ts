import type { Answer } from '#test/support/built-server.js';
import type { Scene, SceneClient } from '../scene.js';
import type { Command, Earlier, Who } from './commands.js';

/** Plays commands on one profile, with what it answered before put into them. */
export interface Player {
  /** @param step says which one it is, so that contents are told apart */
  play(command: Command, step: number): Promise<void>;
}

interface DryRun {
  readonly filter: unknown;
  readonly reason: unknown;
  readonly confirm: string;
}

const nobody = '01890000-0000-7000-8000-000000000000';

export function player(scene: Scene, clients: Readonly<Record<Who, SceneClient>>): Player {
  const memories: string[] = [];
  const bases: string[] = [];
  const dryRuns: DryRun[] = [];
  let last: (() => Promise<void>) | undefined;

  function resolved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolved);
    if (value === null || typeof value !== 'object') return value;
    if ('$earlier' in value) return earlier(value as Earlier);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
  }

  function earlier({ $earlier, n }: Earlier): string {
    if ($earlier === 'memory') return picked(memories, n) ?? nobody;
    if ($earlier === 'basis') return picked(bases, n) ?? 'b1.none';
    return scene.steps.count === 0 ? '2025-01-01' : scene.steps.after(n % scene.steps.count);
  }

  async function call(who: Who, tool: string, args: Record<string, unknown>): Promise<void> {
    const { structured, isError }: Answer = await clients[who].call(tool, args);
    if (isError) return;
    const { memory_id, items, basis, confirm } = structured;
    // That of a read rests on all of what one call wrote, or nothing of it.
    if (typeof basis === 'string' && !/_(write|forget|restore)$/.test(tool)) bases.push(basis);
    const outcomes = tool === 'memory_write' && Array.isArray(items) ? (items as { memory_id?: string }[]) : [];
    for (const id of [memory_id, ...outcomes.map((outcome) => outcome.memory_id)])
      if (typeof id === 'string') memories.push(id);
    if (typeof confirm === 'string') dryRuns.push({ filter: args.filter, reason: args.reason, confirm });
  }

  function prepared(command: Exclude<Command, { do: 'again' }>, step: number): () => Promise<void> {
    switch (command.do) {
      case 'call': {
        const { who, tool } = command;
        const args = resolved(toldApart(command.args, step)) as Record<string, unknown>;
        return () => call(who, tool, ofOneMemory(args));
      }
      case 'confirm': {
        const run = picked(dryRuns, command.n) ?? { filter: { tags: ['none'] }, reason: 'none', confirm: 'none' };
        return () => call(command.who, 'memory_forget', { ...run });
      }
      case 'verb':
        return async () => {
          const { code, stdout } = await scene.command(command.args, command);
          scene.said.push({ verb: command.args[0], code, stdout: scene.masking.text(stdout) });
        };
    }
  }

  return {
    async play(command, step) {
      if (command.do !== 'again') last = prepared(command, step);
      await last?.();
    },
  };
}

/** Half of the time one of the latest, which most of what is asked is about. */
function picked<T>(from: readonly T[], n: number): T | undefined {
  const latest = Math.min(from.length, 6);
  return n % 2 === 0 ? from[from.length - 1 - (Math.floor(n / 2) % latest)] : from[Math.floor(n / 2) % from.length];
}

/** No two contents are equal, and those of a batch differ in length: what one call wrote must not tie in a ranking. */
function toldApart(args: Readonly<Record<string, unknown>>, step: number): Record<string, unknown> {
  const { content, items } = args as { content?: string; items?: { content: string }[] };
  if (items) {
    const shared = items.find((item) => item.content !== '')?.content ?? 'none';
    return {
      ...args,
      items: items.map((item, at) => ({
        ...item,
        content: item.content && `${shared} s${step}i${at}${' further'.repeat(at)}`,
      })),
    };
  }
  return content === undefined ? { ...args } : { ...args, content: `${content} s${step}` };
}

/** A file tells that another memory was written with an idempotency key, and EventStoreDB does not (docs/decisions/0007). */
function ofOneMemory(args: Record<string, unknown>): Record<string, unknown> {
  const { memory_id, idempotency_key } = args;
  return memory_id && idempotency_key ? { ...args, idempotency_key: `${idempotency_key} of ${memory_id}` } : args;
}
