import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { HindsightError } from '#contract/errors.js';
import type { AnyEvent } from '#events/catalogue.js';
import { memoryStream, streamName } from '#events/stream-name.js';
import { subjectHash } from '#events/subject-hash.js';
import { sealChange } from '#ingest/commit/seal-change.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import { exportBank } from '../export/export-bank.js';
import { contentsCheck } from '../proof/check-contents.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
const open: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-deleted-'));
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(folder, { recursive: true });
});

async function opened(bank = 'default'): Promise<Embedded> {
  const { config } = loadConfig({ flags: { home: folder, bank } });
  const one = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  open.push(one);
  return one;
}

const code = (expected: string) => expect.objectContaining({ code: expected });

async function contentsOf(home: Embedded) {
  const contents = contentsCheck(home.vault);
  for await (const stored of home.ledger.readAll()) await contents.take(stored);
  return contents.found();
}

/** What `replay` and `replay --check` come to. */
async function replays(home: Embedded) {
  await home.commands.flush();
  for (const check of ['only', false] as const)
    for (const each of (await home.projector.replay({ check })).projections) expect(each.matches).not.toBe(false);
  expect(await home.projector.deadLetters()).toEqual([]);
}

async function last(home: Embedded): Promise<StoredEvent | undefined> {
  let found: StoredEvent | undefined;
  for await (const stored of home.ledger.readAll()) found = stored;
  return found;
}

async function deleteBank(home: Embedded): Promise<void> {
  const who = home.caller('bank delete');
  const { confirm } = await home.commands.eraseBank({ reason: 'over' }, who);
  expect(await home.commands.eraseBank({ reason: 'over', confirm }, who)).toMatchObject({ status: 'erased' });
}

describe('a process that still runs on a bank that was deleted', () => {
  it('is refused whatever it asks to be done, and makes no keys for it: the rest of the home goes on', async () => {
    const server = await opened('trial');
    const who = server.caller('memory_write');
    await server.commands.write({ content: 'in trial', subjects: ['Ada'] }, who);
    await server.queries.search({ query: 'trial' }, who);
    const rest = await opened();
    await rest.commands.write({ content: 'a default fact' }, rest.caller('write'));
    await deleteBank(await opened('trial'));
    const before = await contentsOf(rest);
    expect(before.faults).toEqual([]);

    const refused = expect.objectContaining({ code: 'bank_erased' });
    await expect(server.commands.write({ content: 'x', subjects: ['Ada', 'Bob'] }, who)).rejects.toEqual(refused);
    await expect(server.commands.alias({ name: 'Ada', alias: 'Lovelace' }, who)).rejects.toEqual(refused);
    await expect(server.commands.erase({ subject: 'Ada', reason: 'r' }, who)).rejects.toEqual(refused);
    await expect(server.commands.eraseBank({ reason: 'r' }, who)).rejects.toEqual(refused);
    await expect(server.queries.search({ query: 'trial' }, who)).rejects.toEqual(refused);
    await server.commands.flush();

    expect(await server.vault.knownBankKeys(server.bank)).toBeUndefined();
    expect(await contentsOf(rest)).toEqual(before);
    await replays(rest);
    const again = await opened('trial');
    expect(again.bank).not.toBe(server.bank);
    await again.commands.write({ content: 'anew' }, again.caller('write'));
    expect((await contentsOf(rest)).faults).toEqual([]);
  });

  it('may have sealed something a moment before, and stored it after: it is blank', async () => {
    const home = await opened('trial');
    const who = home.caller('write');
    await home.commands.write({ content: 'in trial' }, who);
    const late = await sealedBefore(home, []);
    const rest = await opened();
    await deleteBank(home);
    for (const store of late) await store();
    await expect(home.commands.write({ content: 'x' }, who)).rejects.toThrow(code('bank_erased'));
    expect((await contentsOf(rest)).faults).toEqual([]);
    await replays(rest);
  });
});

/** A memory and a record of a recall, sealed now, and each stored when it is told. */
async function sealedBefore(home: Embedded, subjects: readonly string[]): Promise<(() => Promise<void>)[]> {
  const { vault, sources, ledger, bank } = home;
  const { identityKey } = await vault.bankKeys(bank);
  const hashes = subjects.map((name) => subjectHash(identityKey, name));
  const memoryId = sources.uuid();
  const recorded = {
    type: 'MemoryRecorded',
    data: { memoryId, version: 1, kind: 'semantic', origin: 'user', validFrom: new Date(sources.now()).toISOString() },
    content: { content: '"a late belated word about Ada"' },
  } as AnyEvent;
  const served = {
    type: 'RecallServed',
    data: { recallId: sources.uuid(), at: new Date(sources.now()).toISOString(), items: [], tookMs: 1 },
    content: { query: 'a late question about Ada' },
  } as AnyEvent;
  const streams: [string, AnyEvent][] = [
    [memoryStream(ledger.id, bank, memoryId), recorded],
    [streamName({ ledger: ledger.id, bank, category: 'recall', id: sources.uuid() }), served],
  ];
  return Promise.all(
    streams.map(async ([stream, event]) => {
      const recordedAt = new Date(sources.now()).toISOString();
      const place = { ledger: ledger.id, bank, stream, revision: 0, previous: null, recordedAt };
      const origin = { subjectHashes: hashes };
      const who = home.caller('late');
      const { encoded } = await sealChange({ vault, sources }, event, place, who, origin, await vault.freshSecret());
      return async () => void (await ledger.append(stream, [encoded], 'no_stream'));
    }),
  );
}

describe('a person who was erased and is written about anew', () => {
  it('leaves blank what was erased, and what was sealed before and stored after', async () => {
    const home = await opened();
    const who = home.caller('write');
    const { memory_id } = await home.commands.write({ content: 'Ada drinks tea', subjects: ['Ada'] }, who);
    await home.queries.search({ query: 'tea' }, who);
    await home.commands.flush();
    const late = await sealedBefore(home, ['Ada']);
    const planned = await home.commands.erase({ subject: 'Ada', reason: 'r' }, who);
    const done = await home.commands.erase({ subject: 'Ada', reason: 'r', confirm: planned.confirm }, who);
    expect(done.status).toBe('erased');
    await home.commands.write({ content: 'Ada is back and drinks coffee', subjects: ['Ada'] }, who);
    const check = async () => {
      expect((await contentsOf(home)).faults).toEqual([]);
      await replays(home);
      for (const reader of [home, await opened()]) {
        const found = await reader.queries.search({ query: 'tea coffee belated words', min_score: 0 }, who);
        expect(found.items.map(({ content }) => content)).toEqual(['Ada is back and drinks coffee']);
        const history = await reader.queries.history({ memory_id: memory_id! }, who);
        expect(JSON.stringify(history)).not.toContain('tea');
        const exported: string[] = [];
        for await (const line of exportBank(reader.ledger, reader.vault, reader.bank, { now: Date.now() }))
          exported.push(JSON.stringify(line));
        expect(exported).toHaveLength(1);
        for (const ask of ['shown', 'state', 'who', 'events'] as const)
          expect(JSON.stringify(await reader.queries.audit({ ask }, who)), ask).not.toMatch(/drinks tea|a late/);
      }
    };
    await check();
    for (const store of late) {
      await store();
      await check();
    }
    // Nobody else's: what is about others, or fails otherwise, is damage.
    const { stream } = (await last(home))!;
    const changed = new HindsightError('ledger_corrupt', 'changed');
    const isBlank = (name: string, error: unknown) =>
      erasedLater(home.ledger)({ stream, revision: 0, subjects: [hashOf(name)] }, error);
    const { identityKey } = await home.vault.bankKeys(home.bank);
    const hashOf = (name: string) => subjectHash(identityKey, name);
    expect(await isBlank('Ada', changed)).toBe(true);
    expect(await isBlank('Bob', changed)).toBe(false);
    expect(await isBlank('Ada', new HindsightError('keys_unreachable', 'away'))).toBe(false);
  });
});
