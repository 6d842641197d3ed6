import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBasis } from '#contract/basis.js';
import type { FeedbackInput } from '#contract/feedback.js';
import { type IngestHome, ingestHome, sources } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

const code = (expected: string) => expect.objectContaining({ code: expected });
const recall = randomUUID();

describe('feedback', () => {
  it('is stored in the memory’s own stream, its note sealed, and moves the basis', async () => {
    const { commands, caller, events, ledger } = await home.process();
    const { memory_id: id } = await commands.write({ content: 'x' }, caller);
    const done = await commands.rate(
      { memory_id: id!, outcome: 'success', recall_id: recall, note: 'sentinel-note' },
      caller,
    );
    expect(done).toMatchObject({ status: 'rated', memory_id: id, version: 1 });
    expect(done.weight).toBeCloseTo(1 / 7, 12);
    const { event, envelope } = (await events()).at(-1)!;
    expect(event).toEqual({
      type: 'MemoryRated',
      data: { memoryId: id, version: 1, outcome: 'success', recallId: recall },
      content: { note: 'sentinel-note' },
    });
    expect(envelope).toMatchObject({ principal: 'os:ada', revision: 1 });
    expect(decodeBasis(done.basis!, { ledger: ledger.id, bank: caller.bank }).position).toBe(await ledger.head());
    for await (const { bytes } of ledger.readAll()) expect(Buffer.from(bytes).includes('sentinel-note')).toBe(false);
  });

  it('counts once per principal and answer, in whichever process it is given', async () => {
    const one = await home.process();
    const other = await home.process();
    const { memory_id } = await one.commands.write({ content: 'x' }, one.caller);
    const rate = (process: typeof one, outcome: FeedbackInput['outcome'], principal = 'os:ada') =>
      process.commands.rate({ memory_id: memory_id!, outcome, recall_id: recall }, { ...one.caller, principal });
    const first = await rate(one, 'useful');
    expect(await rate(other, 'useful')).toMatchObject({ status: 'unchanged', weight: first.weight });
    const turned = await rate(other, 'wrong');
    expect(turned).toMatchObject({ status: 'rated' });
    expect(turned.weight).toBeLessThan(0);
    expect((await rate(one, 'useful', 'os:ben')).weight).toBeGreaterThan(turned.weight);
    expect((await one.events()).filter(({ event }) => event.type === 'MemoryRated')).toHaveLength(3);
  });

  it('is answered as the first time when the same call comes again, from another process, too', async () => {
    const one = await home.process();
    const other = await home.process();
    const { memory_id } = await one.commands.write({ content: 'x' }, one.caller);
    const ask = { memory_id: memory_id!, outcome: 'useful', idempotency_key: 'once' } as const;
    const first = await one.commands.rate(ask, one.caller);
    const basis = expect.any(String);
    expect(await one.commands.rate(ask, one.caller)).toEqual({ ...first, basis });
    expect(await other.commands.rate(ask, one.caller)).toEqual({ ...first, basis });
    await expect(other.commands.rate({ ...ask, outcome: 'wrong' }, one.caller)).rejects.toThrow(
      code('idempotency_key_reused'),
    );
    const lost = { ...one.caller, callId: sources.uuid() };
    await one.commands.rate({ memory_id: memory_id!, outcome: 'failure' }, lost);
    expect(await other.commands.rate({ memory_id: memory_id!, outcome: 'failure' }, lost)).toMatchObject({
      status: 'rated',
    });
    expect((await one.events()).filter(({ event }) => event.type === 'MemoryRated')).toHaveLength(2);
  });

  it('of eight writers at once loses none, and no write of the memory fails by it', async () => {
    const processes = await Promise.all([home.process(), home.process()]);
    const { commands, caller, events } = processes[0];
    const { memory_id } = await commands.write({ content: 'first', key: 'k' }, caller);
    await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const process = processes[at % 2]!;
        const as = { ...caller, principal: `p${at % 8}` };
        if (at % 3 === 0) return process.commands.write({ content: `v${at}`, key: 'k' }, as);
        return process.commands.rate({ memory_id: memory_id!, outcome: 'useful', recall_id: randomUUID() }, as);
      }),
    );
    const types = (await events()).map(({ event }) => event.type);
    expect(types.filter((type) => type === 'MemoryRated')).toHaveLength(16);
    expect(types.filter((type) => type === 'MemoryRevised')).toHaveLength(8);
  });

  it('says what is wrong with a call', async () => {
    const { commands, caller } = await home.process({ isOfAnotherBank: async (id) => id.startsWith('ffff') });
    const { memory_id: id } = await commands.write({ content: 'x' }, caller);
    const rate = (input: object, as = caller) =>
      commands.rate({ memory_id: id!, outcome: 'useful', ...input } as FeedbackInput, as);
    await expect(rate({ memory_id: sources.uuid() })).rejects.toThrow(code('memory_not_found'));
    await expect(rate({ memory_id: `ffff${sources.uuid().slice(4)}` })).rejects.toThrow(code('memory_of_another_bank'));
    await expect(rate({ outcome: 'great' })).rejects.toThrow(code('invalid_input'));
    await expect(rate({ recall_id: 'the one before' })).rejects.toThrow(/recall_id/);
    await expect(rate({ version: 2 })).rejects.toThrow(/version is 2; the latest version .* is 1/);
    await expect(rate({ note: '\ud800' })).rejects.toThrow(code('invalid_input'));
    await expect(rate({}, { ...caller, roles: ['reader'] })).rejects.toThrow(code('forbidden'));
  });
});
