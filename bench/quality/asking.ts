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
  /** Names of the legs that found it; empty where no explanation was asked for. */
  readonly legs: readonly string[];
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

/** The variable by which a server answers by these legs alone, for measuring; unknown to a product without it. */
const legsVariable = 'HINDSIGHT_LEDGER_LEGS';
const longestText = 80;
/** While either is being made, answers are those of keywords and say so in their notes. */
const notThereYet = /model is loading|still being made|answered by keywords/i;
const longestWait = 4 * 3600_000; // ms: the slowest set has 17,500 facts

/**
 * A server over stdio on one bank, asked only once all that it answers by is there.
 * @param leg the one leg that it is to answer by
 */
export async function openBank(home: string, bank: string, leg?: string): Promise<Bank> {
  const args = [entry, '--home', home, '--bank', bank];
  const client = await connect(process.execPath, args, leg === undefined ? {} : { [legsVariable]: leg });
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
  readonly explain?: { readonly legs: Readonly<Record<string, unknown>> };
}

function itemOf({ id, content, score, source, explain }: GivenItem): Item {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return {
    id: source.external_id ?? id,
    ...(source.session_id === undefined ? {} : { session: source.session_id }),
    score: score ?? 0,
    text: oneLine(text),
    legs: Object.keys(explain?.legs ?? {}),
  };
}

/** For people: no line breaks, and not longer than a line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}

/** Waits until vectors are made and the model answers; a product that has neither is complete at once. */
async function untilComplete(client: LoadClient, bank: string): Promise<void> {
  const began = Date.now();
  let said = began;
  for (;;) {
    // What comes before the model is loaded starts its loading.
    const { notes } = (await client.call('memory_search', { query: 'what', top_k: 1 })) as { notes?: string[] };
    const { vectors } = (await client.call('memory_stats', {})) as { vectors?: { done: number; of: number } };
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
