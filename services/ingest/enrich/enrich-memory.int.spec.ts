import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EnrichInput } from '#contract/enrich.js';
import { type IngestHome, ingestHome } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

function found(memory_id: string, more: Partial<EnrichInput> = {}): EnrichInput {
  return {
    memory_id,
    version: 1,
    rules: 1,
    model: '0f1e2d3c4b5a6978',
    tokens: { read: 120, written: 30 },
    findings: {
      entities: [{ name: 'sentinel-name', kind: 'person', words: [0, 13] }],
      relations: [],
      dates: [],
    },
    ...more,
  };
}

describe('what a model found', () => {
  it('is stored beside the memory, sealed with its secret and for the people that it is about', async () => {
    const { commands, caller, events, ledger } = await home.process();
    const { memory_id: id } = await commands.write({ content: 'sentinel-name lives here', subjects: ['Ada'] }, caller);
    await commands.rate({ memory_id: id!, outcome: 'useful' }, caller);
    expect(await commands.enrich(found(id!), caller)).toEqual({ status: 'recorded', memory_id: id, version: 1 });
    const all = await events();
    const { event, envelope } = all.at(-1)!;
    expect(event).toEqual({
      type: 'MemoryEnriched',
      data: {
        memoryId: id,
        version: 1,
        rules: 1,
        model: '0f1e2d3c4b5a6978',
        tokens: { read: 120, written: 30 },
        knew: 1,
      },
      content: found(id!).findings,
    });
    const written = all.find((each) => each.event.type === 'MemoryRecorded')!.envelope;
    expect(envelope.stream).toBe(written.stream.replace('.memory-', '.understanding-'));
    expect(envelope.revision).toBe(0);
    expect(envelope.box!.k).toBe(written.box!.k);
    expect(envelope.subjects).toEqual(written.subjects);
    for await (const { bytes } of ledger.readAll()) expect(Buffer.from(bytes).includes('sentinel-name')).toBe(false);
  });

  it('is stored once for each version, model and rules, by whichever process and however often', async () => {
    const one = await home.process();
    const other = await home.process();
    const { memory_id: id } = await one.commands.write({ content: 'a', key: 'slot' }, one.caller);
    const record = (process: typeof one, more?: Partial<EnrichInput>) =>
      process.commands.enrich(found(id!, more), one.caller).then(({ status }) => status);
    // At the same moment both may be told that it was: the ledger takes the second for a repetition of the first.
    expect(await Promise.all([record(one), record(other)])).toContain('recorded');
    expect(await record(other, { tokens: { read: 7, written: 7 } })).toBe('unchanged');
    expect(await record(one, { model: 'aaaaaaaaaaaaaaaa' })).toBe('recorded');
    expect(await record(one, { rules: 2 })).toBe('recorded');
    await one.commands.write({ content: 'b', key: 'slot' }, one.caller);
    expect(await record(one, { rules: 3 })).toBe('passed');
    expect(await record(other, { version: 2 })).toBe('recorded');
    expect((await one.events()).filter(({ event }) => event.type === 'MemoryEnriched')).toHaveLength(4);
  });

  it('is not stored of what nobody wrote, nor of what is not served', async () => {
    const { commands, caller, events } = await home.process();
    const { memory_id: id } = await commands.write({ content: 'a' }, caller);
    await commands.review({ memory_id: id!, verdict: 'quarantine', reason: 'odd' }, { ...caller, roles: ['reviewer'] });
    expect(await commands.enrich(found(id!), caller)).toMatchObject({ status: 'passed' });
    expect(await commands.enrich(found('01890000-0000-8000-8000-000000000001'), caller)).toMatchObject({
      status: 'passed',
    });
    expect((await events()).some(({ event }) => event.type === 'MemoryEnriched')).toBe(false);
  });

  it('names the field where it has another form, and wants the right to write', async () => {
    const { commands, caller } = await home.process();
    await expect(commands.enrich(found('m', { model: 'gpt' }), caller)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('model'),
    });
    await expect(commands.enrich(found('m'), { ...caller, roles: ['reader'] })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
