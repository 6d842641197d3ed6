import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { SearchInput } from '#contract/search.js';
import { ownWeights } from '#events/recall-settings.js';
import { featureNames } from '#query/recall/ranking/features.js';
import { learned } from '#query/recall/ranking/learned-weights.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { openEmbedded } from '../../services/cli/embedded/open-embedded.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';
import { exportRecalls } from '../../services/cli/export/export-recalls.js';
import { seeded } from '../load/random.js';
import tune from '../tune.js';
import { ownWeightsOf, tuneFromLog } from './from-log.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-from-log-'));
const log = join(folder, 'recalls.jsonl');
const home = join(folder, 'home');
const open = () =>
  openEmbedded({
    config: loadConfig({ flags: { home }, env: {} }).config,
    log: plainLog('silent', () => undefined),
    embedder: fakeEmbedder(),
  });

/** What is tagged helps, and what is not does not. */
const useful = (tags: readonly string[]) => tags.includes('kept');

beforeAll(async () => {
  const opened = await open();
  try {
    const caller = opened.caller('memory_search');
    const items = Array.from({ length: 60 }, (_, at) => ({
      content: `the ferry ${at % 20} leaves pier ${at % 7} for island ${at % 5}`,
      tags: at % 2 ? ['kept'] : [],
    }));
    await opened.commands.write({ items }, caller);
    await opened.projector.catchUp();
    await opened.embedding!.untilDone();
    for (let at = 0; at < 20; at++) {
      const asked: SearchInput = { query: `ferry ${at} to island kept`, min_score: 0, ...(at % 3 ? {} : { top_k: 3 }) };
      const { items: found, recall_id } = await opened.queries.search(asked, caller);
      for (const { id, version, tags } of found.slice(0, 3))
        await opened.commands.rate(
          { memory_id: id, version, recall_id, outcome: useful(tags) ? 'useful' : 'irrelevant' },
          caller,
        );
    }
    await opened.commands.flush();
    const lines: string[] = [];
    for await (const line of exportRecalls(opened.ledger, opened.vault, opened.bank)) lines.push(JSON.stringify(line));
    writeFileSync(log, lines.join('\n'));
  } finally {
    await opened.close();
  }
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function printed(work: () => Promise<unknown>, stream: NodeJS.WriteStream = process.stdout): Promise<string> {
  const said: string[] = [];
  const write = vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    await work();
  } finally {
    write.mockRestore();
  }
  return said.join('');
}

describe('tuning from a recall log', () => {
  it('asks again as of when it was asked, and writes weights that the bank takes', { timeout: 60_000 }, async () => {
    const out = join(folder, 'weights.json');
    const text = await printed(() => tuneFromLog({ fromLog: log, home, out, embedder: fakeEmbedder() }));
    expect(text).toMatch(/^60 ratings: \d+ helped, \d+ did not\.\n/);
    expect(text).toMatch(/fact {5}vectors {5}60 {2}shipped \d\.\d{3}, own \d\.\d{3}\n/);
    const weights = ownWeights.parse(JSON.parse(readFileSync(out, 'utf8')));
    expect(weights.forms.fact!.vectors!.of.tags).toBeGreaterThan(learned.fact.vectors.of.tags!);
    const opened = await open();
    try {
      const admin = opened.caller('bank configure');
      expect(await opened.commands.configureBank({ weights }, admin)).toMatchObject({ status: 'stored' });
      const { explained } = await opened.queries.search({ query: 'ferry 3 kept', explain: true }, admin);
      expect(explained!.profile).toMatch(/own/);
    } finally {
      await opened.close();
    }
  });

  it('refuses to learn from a few ratings', async () => {
    const few = join(folder, 'few.jsonl');
    writeFileSync(few, readFileSync(log, 'utf8').split('\n').slice(0, 5).join('\n'));
    await expect(tuneFromLog({ fromLog: few, home, embedder: fakeEmbedder() })).rejects.toThrow(
      /^15 ratings, of which .* too few to learn from\. Expected 40, with 10 of each\./,
    );
  });

  it.each([
    ['few ratings', 'few.jsonl', {}, /^15 ratings, of which .* too few to learn from\. .*\n$/],
    ['no such log', 'none.jsonl', {}, /^--from-log: there is no file \S+none.jsonl\.\n$/],
    ['a log that is none', 'weights.json', {}, /^--from-log \S+: line 1 is no JSON\. It takes what .*\n$/],
    ['no such bank', 'few.jsonl', { bank: 'nowhere' }, /^.*nowhere.*\n$/],
  ])('says in a sentence, with exit code 2, that there are %s', async (_, file, more, sentence) => {
    if (file === 'weights.json') writeFileSync(join(folder, file), '{\n  "features": "1"\n}\n');
    const asked = { 'from-log': join(folder, file), home, embedder: fakeEmbedder(), ...more };
    const said = await printed(() => tune(asked), process.stderr);
    expect(said).toMatch(sentence);
    expect(process.exitCode).toBe(2);
    process.exitCode = undefined;
  });
});

describe('weights of a log', () => {
  const rows = (helps: (features: Float64Array, dice: number) => boolean) => {
    const random = seeded(13);
    return Array.from({ length: 300 }, (_, at) => {
      const features = Float64Array.from(featureNames, () => random());
      const kind = { form: 'turn', vectors: at % 10 > 0 } as const;
      return { ...kind, question: `q${at}`, features, merit: 0, helped: helps(features, random()) };
    });
  };
  const left = { withoutQuestion: 0, notFound: 0 };

  it('are none where what ships foretells no worse, or where there are too few of each kind', () => {
    const { of } = learned.turn.vectors;
    const sumOf = (features: Float64Array) =>
      featureNames.reduce((sum, name, at) => sum + (of[name] ?? 0) * features[at]!, 0);
    const rated = rows((features, dice) => dice < 1 / (1 + Math.exp(6 - sumOf(features))));
    const { weights, lines } = ownWeightsOf({ rated, candidates: rated, left: { withoutQuestion: 2, notFound: 1 } });
    expect(weights).toBeUndefined();
    expect(lines[0]).toMatch(/; 2 more are of questions that have expired or were erased, 1 more of memories that/);
    expect(lines.join('\n')).toMatch(/turn {5}vectors {4}270 {2}shipped .*: no better, so they stay as shipped/);
    expect(lines.join('\n')).toMatch(/turn {5}keywords {4}30 {2}too few of this kind/);
  });

  it('refuse where all ratings say the same', () => {
    const rated = rows(() => true);
    expect(() => ownWeightsOf({ rated, candidates: rated, left })).toThrow('of which 300 say that it helped and 0');
  });
});
