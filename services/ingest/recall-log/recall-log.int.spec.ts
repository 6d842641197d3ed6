import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IngestHome, ingestHome, sources } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

describe('recalls', () => {
  const recall = (recallId: string) => ({
    recallId,
    query: 'which database?',
    at: '2026-03-01T00:00:00.000Z',
    items: [{ memoryId: sources.uuid(), version: 1, score: 0.5 }],
    tookMs: 1.5,
    subjects: ['0011'],
  });

  it('are put on record in order, in one stream of the process, each with a secret of its own', async () => {
    const { commands, caller, events } = await home.process();
    for (const id of ['r1', 'r2', 'r3']) await commands.recordRecall(recall(id), caller, false);
    await commands.flush();
    const served = (await events()).filter(({ event }) => event.type === 'RecallServed');
    expect(served.map(({ event }) => event.type === 'RecallServed' && event.data.recallId)).toEqual(['r1', 'r2', 'r3']);
    expect(new Set(served.map(({ envelope }) => envelope.stream)).size).toBe(1);
    expect(new Set(served.map(({ envelope }) => envelope.box!.k)).size).toBe(3);
    expect(served[0]!.envelope.subjects).toEqual(['0011']);
    expect(served[0]!.event.content).toEqual({ query: 'which database?' });
  });

  it('are on record at once when they must be, else within moments or at closing', async () => {
    const { commands, caller, events } = await home.process();
    await commands.recordRecall(recall('now'), caller, true);
    expect((await events()).at(-1)!.event.type).toBe('RecallServed');
    await commands.recordRecall(recall('later'), caller, false);
    await expect.poll(async () => (await events()).length, { timeout: 5000 }).toBe(3);
    await commands.recordRecall(recall('last'), caller, false);
    await commands.close();
    expect(await events()).toHaveLength(4);
  });

  it('share the stream with looks into the audit, which are on record at once', async () => {
    const { commands, caller, events } = await home.process();
    await commands.recordRecall(recall('r1'), caller, true);
    const read = { ask: 'who', rows: 3, about: 'm1', parameters: '{"principal":"ann"}', subjects: ['0011'] };
    await commands.recordAudit(read, caller);
    const [served, audited] = (await events()).slice(-2);
    expect(audited!.event).toEqual({
      type: 'AuditRead',
      data: { ask: 'who', rows: 3, about: 'm1' },
      content: { parameters: '{"principal":"ann"}' },
    });
    expect(audited!.envelope).toMatchObject({ stream: served!.envelope.stream, revision: 1, subjects: ['0011'] });
    expect(audited!.envelope.box!.k).not.toBe(served!.envelope.box!.k);
  });

  it('never spoil an answer when they cannot be recorded, unless they must be', async () => {
    let failing = true;
    const warned: object[] = [];
    const { commands, caller, events } = await home.process({
      log: { warn: (fields) => warned.push(fields) },
      wrap: (ledger) => ({
        ...ledger,
        append: (stream, events, expected) =>
          failing && stream.includes('.recall-')
            ? Promise.reject(new Error('disk'))
            : ledger.append(stream, events, expected),
      }),
    });
    await commands.recordRecall(recall('r1'), caller, false);
    await commands.flush();
    expect(warned).toHaveLength(1);
    await expect(commands.recordRecall(recall('r2'), caller, true)).rejects.toThrow('disk');
    await commands.flush();
    // What goes on failing, as in a read-only home, is told once.
    expect(warned).toHaveLength(1);
    failing = false;
    await commands.flush();
    expect((await events()).filter(({ event }) => event.type === 'RecallServed')).toHaveLength(1);
    expect(commands.lostRecalls()).toBe(0);
  });

  it.each([
    ['before it is stored', false, 0],
    ['after it is stored', true, 0],
    ['after it is stored, and what is there cannot be read then', true, 1],
  ])('are recorded once each when one of the appends of a large group fails %s', async (_when, stored, unreadable) => {
    let appends = 0;
    let reads = unreadable;
    const { commands, caller, events } = await home.process({
      wrap: (ledger) => ({
        ...ledger,
        async append(stream, events, expected) {
          const fails = stream.includes('.recall-') && ++appends === 2;
          if (fails && !stored) throw new Error('the disk was full');
          const appended = await ledger.append(stream, events, expected);
          if (fails) throw new Error('the connection was lost');
          return appended;
        },
        readStream(stream, options) {
          if (stream.includes('.recall-') && reads-- > 0) throw new Error('cannot be read');
          return ledger.readStream(stream, options);
        },
      }),
    });
    const ids = Array.from({ length: 120 }, (_, index) => `r${index}`);
    const long = '问'.repeat(5000);
    for (const id of ids) await commands.recordRecall({ ...recall(id), query: long }, caller, false);
    await commands.flush();
    await commands.recordRecall(recall('last'), caller, false);
    await commands.flush();
    const served = (await events()).filter(({ event }) => event.type === 'RecallServed');
    expect(served.map(({ event }) => event.type === 'RecallServed' && event.data.recallId)).toEqual([...ids, 'last']);
    expect(appends).toBeGreaterThan(2);
    expect(commands.lostRecalls()).toBe(0);
  });
});
