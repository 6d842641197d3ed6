import { afterAll, beforeAll, expect, it } from 'vitest';
import { withEngine } from '#test/engines/with-engine.js';
import { temporaryHome } from '#test/support/built-server.js';
import { plantedIn } from '#test/support/planted.js';
import { type ChatServer, startChatServer } from '#understanding/enrich/test-support/chat-server.js';
import { enrichment, standIn } from './cases/enrichment.js';
import { startDistributed } from './distributed-profile.js';
import { startEmbedded } from './embedded-profile.js';
import { playOnAll } from './play-on-all.js';
import type { Profile } from './profile.js';
import { openStage, type Stage } from './scene.js';

/** Less than all texts of the cases take, with what the last one might have taken. */
const tokensPerDay = 8_000;
const models = new Map<string, ChatServer>();

withEngine(
  'postgres',
  'redis',
  'kafka',
)('embedded and distributed, with a language model', () => {
  const home = temporaryHome();
  let profiles: readonly Profile[] = [];
  let stages: readonly Stage[] = [];
  const settingsFor = async (name: Profile['name']) => {
    const model = await startChatServer(standIn);
    models.set(name, model);
    return {
      HINDSIGHT_LEDGER_LOG_LEVEL: 'trace',
      HINDSIGHT_LEDGER_LLM_URL: model.url,
      HINDSIGHT_LEDGER_LLM_MODEL: 'stand-in',
      HINDSIGHT_LEDGER_LLM_API_KEY: 'sk-sentinel',
      HINDSIGHT_LEDGER_LLM_TOKENS_PER_DAY: String(tokensPerDay),
    };
  };
  beforeAll(async () => {
    profiles = await Promise.all([
      startEmbedded(home.path, await settingsFor('embedded')),
      startDistributed({ env: await settingsFor('distributed') }),
    ]);
    stages = await Promise.all(
      profiles.map(async (profile) => openStage(profile, await profile.token({ name: 'everyone' }))),
    );
  });
  afterAll(async () => {
    await Promise.all(stages.map((stage) => stage.disconnect()));
    await Promise.all(profiles.map((profile) => profile.close()));
    await Promise.all([...models.values()].map((model) => model[Symbol.asyncDispose]()));
    home.remove();
  });

  it.each(Object.entries(enrichment((name) => models.get(name)!)))('%s', (_title, play) => playOnAll(stages, play));

  it('logged neither the key of the model, nor what it was given or found', () => {
    for (const profile of profiles) {
      expect(profile.log()).toContain('"level"');
      expect(plantedIn(['sk-sentinel', 'moonbase', 'labour day', 'Juno'], Buffer.from(profile.log()))).toEqual([]);
    }
  });
});
