import { afterEach, describe, expect, it } from 'vitest';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { type IngestHome, ingestHome } from '../test-support/ingest-home.js';

const homes: IngestHome[] = [];
afterEach(async () => {
  for (const home of homes.splice(0)) await home.remove();
});

async function opened(change: Parameters<IngestHome['process']>[0] = {}) {
  const home = await ingestHome();
  homes.push(home);
  const process = await home.process(change);
  const admin = { ...process.caller, roles: ['admin'] as const, tool: 'bank configure' };
  return { ...process, home, admin };
}

const weights = { features: 'f1', forms: { turn: { vectors: { intercept: -2, of: { words: 1.5 }, cut: 0.01 } } } };

describe('how a bank is recalled from', () => {
  it('is as usual until somebody says otherwise, and then what was said last, part by part', async () => {
    const { commands, admin, events } = await opened({ checkWeights: () => undefined });
    const settings = () => commands.bankSettings(admin.bank);
    expect(await settings()).toEqual({ recall: { off: [], profile: 'learned' } });
    const first = await commands.configureBank({ legs: { vector: false, time: false }, profile: 'seeds' }, admin);
    expect(first).toMatchObject({
      status: 'stored',
      recall: { off: ['vector', 'time'], profile: 'seeds' },
      by: 'os:ada',
      since: expect.stringMatching(/Z$/),
    });
    expect(await commands.configureBank({ legs: { time: true }, weights }, admin)).toMatchObject({
      recall: { off: ['vector'], profile: 'seeds', weights },
    });
    expect((await settings()).recall).toEqual({ off: ['vector'], profile: 'seeds', weights });
    expect((await commands.configureBank({ weights: null }, admin)).recall).toEqual({
      off: ['vector'],
      profile: 'seeds',
    });
    const stored = (await events()).filter(({ event }) => event.type === 'BankConfigured');
    expect(stored.map(({ envelope }) => [envelope.revision, envelope.principal])).toEqual([
      [1, 'os:ada'],
      [2, 'os:ada'],
      [3, 'os:ada'],
    ]);
  });

  it('is put on record once, however often it is said', async () => {
    const { commands, admin, ledger, home } = await opened();
    await commands.configureBank({ legs: { graph: false } }, admin);
    const head = await ledger.head();
    const other = await home.process();
    for (const asked of [commands, other.commands])
      expect(await asked.configureBank({ legs: { graph: false } }, admin)).toMatchObject({ status: 'unchanged' });
    expect(await commands.configureBank({}, admin)).toMatchObject({ status: 'unchanged' });
    expect(await ledger.head()).toBe(head);
  });

  it('keeps what two processes say of it at the same moment', async () => {
    const { commands, admin, home } = await opened();
    const other = await home.process();
    await Promise.all([
      commands.configureBank({ legs: { graph: false } }, admin),
      other.commands.configureBank({ profile: 'seeds' }, admin),
    ]);
    expect((await commands.bankSettings(admin.bank)).recall).toEqual({ off: ['graph'], profile: 'seeds' });
  });

  it('refuses whoever is no admin, what finds nothing, and weights that do not fit', async () => {
    const refusing = {
      checkWeights: () => {
        throw new HindsightError('invalid_input', 'weights.features is "f1".');
      },
    };
    const { commands, admin, caller } = await opened(refusing);
    await expect(commands.configureBank({ profile: 'seeds' }, caller)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      commands.configureBank({ legs: { vector: false, keyword: false, graph: false } }, admin),
    ).rejects.toThrow('Nothing would be found');
    await expect(commands.configureBank({ weights }, admin)).rejects.toThrow('weights.features is "f1"');
    const unknown = { profile: 'best' } as unknown as Parameters<typeof commands.configureBank>[0];
    await expect(commands.configureBank(unknown, admin)).rejects.toSatisfy((error) =>
      isHindsightError(error, 'invalid_input'),
    );
    expect(await commands.bankSettings(admin.bank)).toEqual({ recall: { off: [], profile: 'learned' } });
  });

  it('takes no weights where nothing can check them', async () => {
    const { commands, admin } = await opened();
    await expect(commands.configureBank({ weights }, admin)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
