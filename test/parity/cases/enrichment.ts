import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ChatServer } from '#understanding/enrich/test-support/chat-server.js';
import type { ParityCases } from '../parity-case.js';
import type { Profile } from '../profile.js';
import type { Scene, SceneClient } from '../scene.js';

interface Reading {
  readonly done: number;
  readonly of: number;
  readonly tokens_today: number;
  readonly tokens_per_day: number;
}
interface Found {
  readonly items: readonly { readonly id: string; readonly explain: { readonly legs: object } }[];
  readonly basis: string;
}

/** What the stand-in says that a text costs. */
export const tokensEach = 150;
const bank = 'read';
const roles = 'reader,writer,eraser';

/** Of a text with `moonbase` it finds the name and a day that no rule finds there, and of any other nothing. */
export const standIn: ChatServer['answer'] = ({ body }) => {
  const { text } = JSON.parse(body.messages[1]!.content) as { text: string };
  const isAbout = text.includes('moonbase');
  const day = { from: '2024-05-07T00:00:00Z', to: '2024-05-08T00:00:00Z', grain: 'day', exact: true };
  return {
    content: JSON.stringify({
      entities: isAbout ? [{ name: 'moonbase', kind: 'work' }] : [],
      relations: [],
      dates: isAbout ? [{ ...day, quote: 'the day after labour day' }] : [],
    }),
  };
};
const away: ChatServer['answer'] = () => ({ status: 503, raw: '{}' });

/** Polled beside the scene until it is so: how often is the profile's own. */
async function untilRead({ profile }: Scene, token: string, isSo: (reading: Reading) => boolean): Promise<Reading> {
  const client = await profile.client(token);
  try {
    for (const until = Date.now() + 60_000; ; await sleep(100)) {
      const { structured } = await client.call('memory_stats', {});
      const reading = structured.enrichment as Reading;
      if (isSo(reading)) return reading;
      if (Date.now() > until) throw new Error(`not read: ${JSON.stringify(reading)}`);
    }
  } finally {
    await client.close();
  }
}

/**
 * Of a profile that has a language model in its settings: a server that stands for it, one for each profile. In this order: what one writes
 * the next erases, and the last one spends what is left of the day.
 */
export function enrichment(modelOf: (name: Profile['name']) => ChatServer): ParityCases {
  const tokens = new Map<Profile['name'], string>();
  const tokenOf = async ({ profile, token }: Scene): Promise<string> => {
    const own = tokens.get(profile.name) ?? (await token({ bank, name: 'reads', roles }));
    tokens.set(profile.name, own);
    return own;
  };
  const clientOf = async (scene: Scene) => scene.clientOf(await tokenOf(scene));
  const find = (client: SceneClient, query: string, more: object = {}) =>
    client.ask<Found>('memory_search', { query, min_score: 0, explain: true, ...more });
  const legsOf = ({ items }: Found, id: string) => items.find((item) => item.id === id)!.explain.legs;
  const named = 'What do we know about Moonbase?';
  const dated = 'What was opened in May 2024?';

  return {
    async 'finds by what a language model found, not before it is on record, and by no basis from before'(scene) {
      const model = modelOf(scene.profile.name);
      const client = await clientOf(scene);
      model.answer = away;
      const { memory_id } = await client.ask<{ memory_id: string }>('memory_write', {
        content: 'the moonbase was opened the day after labour day',
        key: 'sentinel.key',
        tags: ['sentinel-tag'],
        subjects: ['Juno Castellan'],
        occurred_at: '2023-01-01T00:00:00Z',
      });
      await client.ask('memory_write', { content: 'tea is in the kitchen', occurred_at: '2023-01-02T00:00:00Z' });
      // While its server is down nobody waits, and nothing is found that rules do not find.
      const before = [await find(client, named), await find(client, dated)];
      expect(legsOf(before[0]!, memory_id)).not.toHaveProperty('graph');
      model.answer = standIn;
      expect(await untilRead(scene, await tokenOf(scene), ({ done }) => done === 2)).toMatchObject({
        of: 2,
        tokens_today: 2 * tokensEach,
      });
      expect(legsOf(await find(client, named), memory_id)).toMatchObject({ graph: { rank: 1, score: 1 } });
      expect(legsOf(await find(client, dated), memory_id)).toMatchObject({ time: { rank: 1, score: 1 } });
      for (const [at, query] of [named, dated].entries())
        expect((await find(client, query, { basis: before[at]!.basis })).items).toEqual(before[at]!.items);
      expect(JSON.stringify(model.asked.map(({ body }) => body))).not.toContain('sentinel');
      expect(new Set(model.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer sk-sentinel']));
    },

    async 'asks nothing a second time after its processes were killed'(scene) {
      const model = modelOf(scene.profile.name);
      const asked = model.asked.length;
      await scene.restart();
      const client = await clientOf(scene);
      await client.ask('memory_write', { content: 'coffee is in the cellar' });
      expect(await untilRead(scene, await tokenOf(scene), ({ done }) => done === 3)).toMatchObject({ of: 3 });
      expect(model.asked.slice(asked).map(({ body }) => body.messages[1]!.content)).toEqual([
        expect.stringContaining('coffee is in the cellar'),
      ]);
    },

    async 'lets what was found go with what is erased, and nothing else'(scene) {
      const client = await clientOf(scene);
      const ask = { filter: { subject: 'Juno Castellan' }, mode: 'erase', reason: 'asked to' };
      const { confirm } = await client.ask<{ confirm: string }>('memory_forget', ask);
      // Ids, times and positions, and how long others take, are each profile's own.
      const erased = await scene.profile.client(await tokenOf(scene));
      await expect
        .poll(async () => (await erased.call('memory_forget', { ...ask, confirm })).structured.status, {
          timeout: 60_000,
        })
        .toBe('erased');
      await erased.close();
      expect((await find(client, named)).items.map(({ explain }) => Object.keys(explain.legs))).not.toContainEqual(
        expect.arrayContaining(['graph']),
      );
      expect(await client.ask('memory_stats', {})).toMatchObject({
        enrichment: { done: 2, of: 2, tokens_today: 3 * tokensEach },
      });
      for (const verb of [
        ['verify', '--contents'],
        ['replay', '--check'],
      ]) {
        const { code, stdout, stderr } = await scene.command(verb);
        expect(code, stdout + stderr).toBe(0);
      }
    },

    async 'spends no more tokens than a day has, and goes on without'(scene) {
      const model = modelOf(scene.profile.name);
      const client = await clientOf(scene);
      for (let at = 10; at < 40; at++) await client.ask('memory_write', { content: `crate ${at} is in the hold` });
      const isSpent = () => scene.profile.log().includes('the tokens of a day are spent');
      await expect.poll(isSpent, { timeout: 60_000 }).toBe(true);
      // A killed process knows from the record what was spent.
      await scene.restart();
      const asked = model.asked.length;
      const again = await clientOf(scene);
      await again.ask('memory_write', { content: 'crate 40 is in the hold' });
      // A process looks at the earliest 3 s after its start.
      await sleep(6_000);
      expect(model.asked.length).toBe(asked);
      // That of what was erased is spent, too.
      const reading = await untilRead(
        scene,
        await tokenOf(scene),
        ({ done, tokens_today }) => tokens_today === (done + 1) * tokensEach,
      );
      expect(reading.of).toBe(33);
      expect(reading.done).toBeGreaterThan(5);
      expect(reading.done).toBeLessThan(reading.of);
      expect(reading.tokens_today).toBeLessThanOrEqual(reading.tokens_per_day);
      // Words find what the model did not read.
      const { items } = await find(again, 'crate 40');
      expect(items[0]).toMatchObject({ content: 'crate 40 is in the hold' });
    },
  };
}
