import { afterAll, beforeAll, expect, it } from 'vitest';
import { withEngine } from '#test/engines/with-engine.js';
import { temporaryHome } from '#test/support/built-server.js';
import { plantedIn } from '#test/support/planted.js';
import { access } from './cases/access.js';
import { audits } from './cases/audits.js';
import { badInput } from './cases/bad-input.js';
import { feedback } from './cases/feedback.js';
import { forgetting } from './cases/forgetting.js';
import { imports } from './cases/imports.js';
import { lettingGo } from './cases/letting-go.js';
import { settings } from './cases/settings.js';
import { thePast } from './cases/the-past.js';
import { writing } from './cases/writing.js';
import { startDistributed } from './distributed-profile.js';
import { startEmbedded } from './embedded-profile.js';
import type { ParityCases } from './parity-case.js';
import { playOnAll } from './play-on-all.js';
import type { Profile } from './profile.js';
import { openStage, type Stage } from './scene.js';

const loud = { HINDSIGHT_LEDGER_LOG_LEVEL: 'trace' };
const all: ParityCases = {
  ...writing,
  ...feedback,
  ...settings,
  ...forgetting,
  ...lettingGo,
  ...thePast,
  ...audits,
  ...imports,
  ...access,
  ...badInput,
};

withEngine(
  'postgres',
  'redis',
  'kafka',
)('embedded and distributed', () => {
  const home = temporaryHome();
  let profiles: readonly Profile[] = [];
  let stages: readonly Stage[] = [];
  beforeAll(async () => {
    profiles = await Promise.all([startEmbedded(home.path, loud), startDistributed({ env: loud })]);
    stages = await Promise.all(
      profiles.map(async (profile) => openStage(profile, await profile.token({ name: 'everyone' }))),
    );
  });
  afterAll(async () => {
    await Promise.all(stages.map((stage) => stage.disconnect()));
    await Promise.all(profiles.map((profile) => profile.close()));
    home.remove();
  });

  it.each(Object.entries(all))('%s', async (_title, play) => {
    await playOnAll(stages, play);
  });

  it('logged none of what was written, asked or given as a reason', () => {
    const words = [
      'lighthouse',
      'harbour',
      '支付网关',
      '韩梅梅',
      'standup.hour',
      'certificate-1',
      'it never was',
      'announcement',
    ];
    for (const profile of profiles) {
      expect(profile.log()).toContain('"level"');
      expect(plantedIn(words, Buffer.from(profile.log())), profile.name).toEqual([]);
    }
  });
});
