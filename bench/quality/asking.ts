import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type LoadClient } from '../load/stdio-client.js';
import { entry } from './prepared-home.js';

/** A memory as it came back. */
export interface Item {
  readonly id: string;
  readonly session?: string;
  readonly score: number;
  /** Cut to a line. */
  readonly text: string;
  /** Its place by each leg that found it, from 1; empty where no explanation was asked for. */
  readonly legs: Readonly<Record<string, number>>;
}

export interface Asking {
  readonly topK: number;
  /** Undefined: the product's own cut. */
  readonly minScore?: number;
  readonly validAt?: string;
  readonly explain?: boolean;
}

export interface Bank {
  ask(question: string, asking: Asking): Promise<{ items: Item[]; ms: number }>;
  close(): Promise<void>;
}

const longestText = 80;
/** While either is being made, answers are those of keywords and say so in their notes. */
const notThereYet = /model is loading|still being made/i;
const notToBeHad = /embeddings are not available/i;
const longestWait = 4 * 3600_000; // ms: the slowest set has 17,500 facts

/** A server over stdio on one bank, asked only once all that it answers by is there. */
export async function openBank(home: string, bank: string): Promise<Bank> {
  const client = await connect(process.execPath, [entry, '--home', home, '--bank', bank]);
  await untilComplete(client, bank);
  return {
    async ask(question, { topK, minScore, validAt, explain }) {
      const began = performance.now();
      const answer = await client.call('memory_search', {
        query: question,
        top_k: topK,
        ...(minScore === undefined ? {} : { min_score: minScore }),
        ...(validAt === undefined ? {} : { valid_at: validAt }),
        ...(explain ? { explain } : {}),
      });
      return { items: (answer.items as GivenItem[]).map(itemOf), ms: performance.now() - began };
    },
    close: () => client.close(),
  };
}

interface GivenItem {
  readonly id: string;
  readonly content: unknown;
  readonly score?: number;
  readonly source: { readonly external_id?: string; readonly session_id?: string };
  readonly explain?: { readonly legs: Readonly<Record<string, { readonly rank: number }>> };
}

function itemOf({ id, content, score, source, explain }: GivenItem): Item {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return {
    id: source.external_id ?? id,
    ...(source.session_id === undefined ? {} : { session: source.session_id }),
    score: score ?? 0,
    text: oneLine(text),
    legs: Object.fromEntries(Object.entries(explain?.legs ?? {}).map(([leg, { rank }]) => [leg, rank])),
  };
}

/** For people: no line breaks, and not longer than a line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}

/**
 * Waits until vectors are made and the model answers; a product that has neither is complete at once.
 * @throws Error when the model cannot be had: figures of keywords alone would be taken for others
 */
async function untilComplete(client: LoadClient, bank: string): Promise<void> {
  const began = Date.now();
  let said = began;
  for (;;) {
    // What comes before the model is loaded starts its loading.
    const { notes } = (await client.call('memory_search', { query: 'what', top_k: 1 })) as { notes?: string[] };
    const { vectors } = (await client.call('memory_stats', {})) as { vectors?: { done: number; of: number } };
    const failed = notes?.find((note) => notToBeHad.test(note));
    if (failed) throw new Error(`${bank}: ${failed}`);
    const left = vectors ? vectors.of - vectors.done : 0;
    const waitsFor = notes?.find((note) => notThereYet.test(note));
    if (left <= 0 && !waitsFor) return;
    if (Date.now() - began > longestWait)
      throw new Error(
        `${bank}: ${left} vectors were still missing after ${longestWait / 3600_000} hours. ${waitsFor ?? ''}`,
      );
    if (Date.now() - said > 30_000) {
      said = Date.now();
      process.stderr.write(`  ${bank}: ${vectors ? `${vectors.done} of ${vectors.of} embedded` : waitsFor}\n`);
    }
    await sleep(left > 100 ? 2_000 : 100);
  }
}
