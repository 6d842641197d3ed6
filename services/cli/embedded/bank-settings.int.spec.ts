import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { Caller } from '#contract/caller.js';
import type { SearchInput } from '#contract/search.js';
import { featuresVersion } from '#query/recall/ranking/own-weights.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
let home: Embedded;
let admin: Caller;
const open = () => {
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  return openEmbedded({ config, log: plainLog('silent', () => undefined), embedder: fakeEmbedder() });
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-bank-settings-'));
  home = await open();
  admin = home.caller('bank configure');
  const items = [
    { content: 'Ada pays the harbour fee on Mondays', key: 'harbour.fee', subjects: ['Ada'] },
    { content: 'The harbour master is Noor' },
    { content: 'Invoices are filed in the blue cabinet', tags: ['office'] },
    ...Array.from({ length: 20 }, (_, at) => ({ content: `The ferry of day ${at} was late` })),
  ];
  await home.commands.write({ items }, admin);
  await home.projector.catchUp();
  await home.embedding!.untilDone();
});
afterEach(async () => {
  await home.close();
  await rm(folder, { recursive: true });
});

const ask = (more: Partial<SearchInput> = {}, of: Embedded = home) =>
  of.queries.search({ query: 'who pays the harbour fee', explain: true, min_score: 0, ...more }, admin);

describe('a bank that has legs switched off', () => {
  it('is answered without them, and as before where the basis is from before', async () => {
    const before = await ask();
    expect(before.explained).toMatchObject({ profile: 'learned' });
    expect(before.explained).not.toHaveProperty('off');
    expect(Object.keys(before.items[0]!.explain!.legs)).toEqual(expect.arrayContaining(['vector', 'keyword', 'slot']));
    await home.commands.configureBank({ legs: { vector: false, slot: false } }, admin);
    const after = await ask();
    expect(after.explained).toMatchObject({ profile: 'learned', off: ['vector', 'slot'] });
    expect(after.notes).toBeUndefined();
    for (const { explain } of after.items) {
      expect(Object.keys(explain!.legs)).not.toContain('vector');
      expect(Object.keys(explain!.features ?? {})).not.toContain('key');
    }
    expect(after.items[0]!.score).not.toBe(before.items[0]!.score);
    // Each basis is answered by what stood there, by a process that has read nothing, too.
    const other = await open();
    try {
      for (const of of [home, other])
        for (const answer of [before, after]) {
          const again = await ask({ basis: answer.basis }, of);
          expect([again.items, again.explained, again.basis]).toEqual([answer.items, answer.explained, answer.basis]);
        }
    } finally {
      await other.close();
    }
    await home.commands.configureBank({ legs: { vector: true, slot: true } }, admin);
    const back = await ask();
    expect(back.items.map(({ id, score }) => [id, score])).toEqual(before.items.map(({ id, score }) => [id, score]));
    expect((await ask({ basis: after.basis })).items).toEqual(after.items);
  });

  it.each(['keyword', 'graph', 'time', 'slot', 'vector'] as const)('can do without %s', async (leg) => {
    await home.commands.configureBank({ legs: { [leg]: false } }, admin);
    const { items, explained } = await ask({ query: 'harbour fee of Ada in 2025' });
    expect(explained!.off).toEqual([leg]);
    expect(items.length).toBeGreaterThan(0);
    for (const { explain } of items) expect(Object.keys(explain!.legs)).not.toContain(leg);
  });

  it('is answered at a basis that a write gave', async () => {
    await home.commands.configureBank({ profile: 'seeds' }, admin);
    const { basis } = await home.commands.write({ content: 'the harbour fee went up' }, admin);
    expect((await ask({ basis: basis! })).explained).toMatchObject({ profile: 'seeds' });
  });
});

describe('the profile `seeds`', () => {
  it('ranks by .4 meaning, .3 words, .2 names and .1 recency, and says so', async () => {
    await home.commands.configureBank({ profile: 'seeds' }, admin);
    const { items, explained } = await ask({ top_k: 20 });
    expect(explained).toMatchObject({ profile: 'seeds', cutoff: 0 });
    expect(explained).not.toHaveProperty('form');
    const allowed = { vector: 0.4, keyword: 0.3, graph: 0.2, recency: 0.1 };
    for (const { score, explain } of items) {
      const parts = Object.entries(explain!.features!);
      for (const [name, { value, weight }] of parts) {
        expect(weight).toBe(allowed[name as keyof typeof allowed]);
        expect(value).toBeGreaterThan(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      expect(parts.reduce((sum, [, { value, weight }]) => sum + value * weight, 0)).toBeCloseTo(score!, 12);
    }
    const { items: shown } = await ask();
    expect(shown[0]!.content).toBe('Ada pays the harbour fee on Mondays');
    expect(shown.map(({ score }) => score)).toEqual([...shown.map(({ score }) => score!)].sort((a, b) => b - a));
  });
});

describe('a bank with weights of its own', () => {
  const only = (features: string) => ({
    features,
    forms: {
      fact: {
        vectors: { intercept: -1, of: { words: 2 }, cut: 0 },
        keywords: { intercept: -1, of: { words: 2 }, cut: 0 },
      },
    },
  });

  it('is ranked by them', async () => {
    await home.commands.configureBank({ weights: only(featuresVersion) }, admin);
    // A key that is asked for has a chance of its own, whatever the weights.
    const { items, explained } = await ask({ query: 'whose is the harbour' });
    expect(explained!.profile).toBe('learned, with weights of this bank’s own');
    // With .15 for the trust in an agent (ranking/merit.ts), which columns keep in 32 bits.
    expect(items[0]!.score).toBeCloseTo(1 / (1 + Math.exp(-1.15)), 6);
    await home.commands.configureBank({ weights: null }, admin);
    expect((await ask()).explained!.profile).toBe('learned');
  });

  it('takes none that are for other features, or for what there is not', async () => {
    const refused = async (weights: object) =>
      home.commands.configureBank({ weights: weights as never }, admin).catch((error: Error) => error.message);
    expect(await refused(only('1.00000000'))).toMatch(/weights.features is "1.00000000"; this release ranks by/);
    const strange = {
      features: featuresVersion,
      forms: { fact: { vectors: { intercept: 0, of: { wrods: 1 }, cut: 0 } } },
    };
    expect(await refused(strange)).toMatch(/weighs "wrods"; features are words, /);
    expect(await refused({ features: featuresVersion, forms: { poem: {} } })).toMatch(/has "poem"; forms are turn/);
    const nothing = /weights.forms has none, but takes at least one of turn, /;
    expect(await refused({ features: featuresVersion, forms: {} })).toMatch(nothing);
    const prototype = JSON.parse(`{"features":"${featuresVersion}","forms":{"__proto__":{}}}`) as object;
    expect(await refused(prototype)).toMatch(nothing);
    expect(await refused({ features: featuresVersion, forms: { fact: {} } })).toMatch(
      /weights.forms.fact has no weights, but takes vectors, keywords or both/,
    );
    expect(await refused({ features: featuresVersion, forms: { fact: { vectors: { intercept: 'x' } } } })).toMatch(
      /^weights/,
    );
  });
});
