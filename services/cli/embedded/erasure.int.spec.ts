import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { ForgetOutput } from '#contract/forget.js';
import { decodeEnvelope } from '#events/envelope.js';
import { importFile } from '#ingest/formats/import-file.js';
import { knownBy } from '#ingest/formats/own-records.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import type { Embedded } from './open-embedded.js';
import { openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
const open: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-erasure-'));
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

async function erase(home: Embedded, what: object): Promise<ForgetOutput> {
  const who = home.caller('erase');
  const planned = await home.commands.erase({ ...what, reason: 'asked to' }, who);
  return home.commands.erase({ ...what, reason: 'asked to', confirm: planned.confirm }, who);
}

describe('erasing', () => {
  it('takes all that is about a person, by any of their names, and nothing else', async () => {
    const home = await opened();
    const who = home.caller('write');
    const write = async (content: string, more: object = {}) =>
      (await home.commands.write({ content, ...more }, who)).memory_id!;
    const tea = await write('Ada drinks tea', { subjects: ['Ada'], key: 'drink.ada' });
    const alias = await write('The countess likes engines', { subjects: ['Lovelace'] });
    const derived = await write('Somebody drinks tea', { derived_from: [tea] });
    const bob = await write('Bob drinks coffee', { subjects: ['Bob'] });
    const mention = await write('Ada was mentioned by Bob');
    await home.commands.alias({ name: 'Ada', alias: 'Lovelace' }, who);

    const planned = await home.commands.erase({ subject: 'ada ', reason: 'asked to' }, who);
    expect(planned).toMatchObject({ status: 'dry_run', total: 3, forgotten: [] });
    expect(planned.erasure!.names!.map((name) => name.toLowerCase())).toEqual(['ada', 'lovelace']);
    expect(planned.erasure!.also_mentioned_in!.map(({ memory_id }) => memory_id)).toEqual([mention]);
    const done = await home.commands.erase({ subject: 'ada ', reason: 'asked to', confirm: planned.confirm }, who);
    expect(done).toMatchObject({ status: 'erased', total: 3 });
    expect([...done.forgotten].sort()).toEqual([tea, alias, derived].sort());
    expect(JSON.parse(done.erasure!.certificate!.text)).toMatchObject({
      erasure: done.erasure!.id,
      what: { memories: 3, reads: 0 },
      check: { events_tried: 3, events_opened: 0, rows_left: 0 },
    });
    expect(
      await home.commands.erase({ subject: 'ada ', reason: 'asked to', confirm: planned.confirm }, who),
    ).toMatchObject({
      status: 'erased',
      erasure: { id: done.erasure!.id },
    });

    for (const query of ['tea', 'engines'])
      expect((await home.queries.search({ query, min_score: 0 }, who)).items).toEqual([]);
    expect((await home.queries.search({ query: 'coffee', min_score: 0 }, who)).items[0]).toMatchObject({ id: bob });
    expect((await verifyLedger(home.ledger)).broken).toEqual([]);
    await expect(home.commands.restore({ memory_id: tea, reason: 'r' }, who)).rejects.toThrow(code('memory_erased'));
  });

  it('is refused when the set has changed since it was shown, and to whoever lacks the role', async () => {
    const home = await opened();
    const who = home.caller('erase');
    await home.commands.write({ content: 'Ada drinks tea', subjects: ['Ada'] }, who);
    const planned = await home.commands.erase({ subject: 'Ada', reason: 'r' }, who);
    await home.commands.write({ content: 'Ada drinks coffee', subjects: ['Ada'] }, who);
    await expect(home.commands.erase({ subject: 'Ada', reason: 'r', confirm: planned.confirm }, who)).rejects.toThrow(
      code('confirm_mismatch'),
    );
    await expect(
      home.commands.forget({ filter: { subject: 'Ada' }, mode: 'erase', reason: 'r' }, { ...who, roles: ['writer'] }),
    ).rejects.toThrow(code('forbidden'));
  });

  it('with the token of an erasure that is done is refused for anything else, and told of it for the same', async () => {
    const home = await opened();
    const who = home.caller('erase');
    const { memory_id } = await home.commands.write({ content: 'Zed is tall', subjects: ['Zed'] }, who);
    const bob = await home.commands.write({ content: 'Bob is short', subjects: ['Bob'] }, who);
    const ask = { filter: { subject: 'Zed' }, reason: 'r' };
    const { confirm } = await home.commands.erase(ask, who);
    const done = await home.commands.erase({ ...ask, confirm }, who);
    expect(done).toMatchObject({ status: 'erased', forgotten: [memory_id] });
    for (const other of [
      { filter: { subject: 'Bob' } },
      { subject: 'Bob' },
      { memory_ids: [bob.memory_id] },
      { ...ask, fingerprints: false },
    ] as const)
      await expect(home.commands.erase({ ...other, reason: 'r', confirm } as never, who)).rejects.toThrow(
        code('confirm_mismatch'),
      );
    await expect(home.commands.eraseBank({ reason: 'r', confirm }, who)).rejects.toThrow(code('confirm_mismatch'));
    expect((await home.queries.search({ query: 'short', min_score: 0 }, who)).items).toMatchObject([
      { id: bob.memory_id },
    ]);
    expect(await home.commands.erase({ ...ask, reason: 'again', confirm }, who)).toMatchObject({
      status: 'erased',
      forgotten: [memory_id],
      erasure: { id: done.erasure!.id },
    });

    const whole = (await home.commands.eraseBank({ reason: 'r' }, who)).confirm;
    expect(await home.commands.eraseBank({ reason: 'r', confirm: whole }, who)).toMatchObject({ status: 'erased' });
    expect(await home.commands.eraseBank({ reason: 'r', confirm: whole }, who)).toMatchObject({ status: 'erased' });
    await expect(home.commands.erase({ ...ask, confirm: whole }, who)).rejects.toThrow(code('bank_erased'));
    await expect(home.commands.eraseBank({ reason: 'r', confirm }, who)).rejects.toThrow(code('bank_erased'));
  });

  it('lets a memory be written anew, with a fresh key, and versions and retries going on', async () => {
    const home = await opened();
    const who = home.caller('write');
    const first = { content: 'the safe opens by 1234', key: 'safe', idempotency_key: 'one', subjects: ['Ada'] };
    const { memory_id } = await home.commands.write(first, who);
    await erase(home, { memory_ids: [memory_id] });
    expect(await home.commands.write(first, who)).toMatchObject({ memory_id, version: 1, status: 'stored' });
    expect((await home.queries.search({ query: 'safe', min_score: 0 }, who)).items).toEqual([]);
    expect(await home.commands.write({ content: 'the safe is gone', key: 'safe' }, who)).toMatchObject({
      memory_id,
      version: 2,
      status: 'stored',
    });
    const [item] = (await home.queries.search({ query: 'safe', min_score: 0 }, who)).items;
    expect(item).toMatchObject({ id: memory_id, version: 2, content: 'the safe is gone', key: 'safe' });
    const later = await opened();
    expect(
      (await later.queries.search({ query: 'safe', min_score: 0 }, later.caller('search'))).items[0],
    ).toMatchObject({
      version: 2,
    });
    const secrets: (string | undefined)[] = [];
    for await (const { bytes } of home.ledger.readStream(`hl.${home.ledger.id}.${home.bank}.memory-${memory_id}`))
      secrets.push(decodeEnvelope(bytes).box?.k);
    expect(secrets).toHaveLength(3);
    expect(secrets[1]).toBeUndefined();
    expect(secrets[2]).not.toBe(secrets[0]);
  });

  it('keeps erased values out of imports and background jobs, and lets people write them', async () => {
    const home = await opened();
    const who = home.caller('import');
    const item = { content: 'the pin is 4711' };
    const { memory_id } = await home.commands.write(item, who);
    await erase(home, { memory_ids: [memory_id] });
    const from = { source: 'file', id: '1' };
    const refused = await home.commands.importItems([{ item, from }], who);
    expect(refused.items).toMatchObject([{ status: 'error', error: { code: 'value_erased' } }]);
    await expect(home.commands.write({ ...item, origin: 'system' }, who)).rejects.toThrow(code('value_erased'));
    const file = async function* () {
      yield JSON.stringify({ ...item, id: '1' });
    };
    const { problems } = await importFile(file(), 'jsonl', home.commands, who);
    expect(problems).toEqual([{ line: 1, message: expect.stringMatching(/^value_erased: .*--allow-erased/) }]);
    const allowed = await home.commands.importItems([{ item, from: { ...from, allowErased: true } }], who);
    expect(allowed.items).toMatchObject([{ status: 'stored' }]);
    const written = await home.commands.write({ ...item, key: 'pin' }, who);
    expect(written.status).toBe('stored');
    const imported = allowed.items![0]!.memory_id!;
    for await (const { bytes } of home.ledger.readStream(`hl.${home.ledger.id}.${home.bank}.memory-${imported}`))
      expect(decodeEnvelope(bytes).tool).toBe('import --allow-erased');
  });

  it.each(['jsonl', 'turns'] as const)(
    'lets a file of %s that was imported before come back once it is meant to',
    async (format) => {
      const home = await opened();
      const who = home.caller('import');
      const text = format === 'jsonl' ? 'content' : 'text';
      const records = [
        { id: '1', [text]: 'Zoe lives in Oslo' },
        { id: '2', [text]: 'Zoe rows' },
        { id: '2', [text]: 'Zoe rows and swims' },
      ];
      async function* lines() {
        for (const record of records) yield `${JSON.stringify({ ...record, subjects: ['Zoe'] })}\n`;
      }
      const imported = (options: object = {}) =>
        importFile(lines(), format, home.commands, who, { knownBy: knownBy(home.ledger), ...options });
      const found = async () =>
        (await home.queries.search({ query: 'Zoe', min_score: 0 }, who)).items.map(({ content }) => content).sort();
      // That somebody asked comes on record by itself, a moment later.
      const written = async () => {
        let events = 0;
        for await (const { type } of home.ledger.readAll()) if (type.startsWith('Memory')) events += 1;
        return events;
      };
      expect(await imported()).toMatchObject({ stored: 3 });
      const memory_ids = (await home.queries.search({ query: 'Zoe', min_score: 0 }, who)).items.map(({ id }) => id);
      for (const fingerprints of [true, false]) {
        await erase(home, { memory_ids, fingerprints });
        expect(await imported()).toMatchObject({ stored: 0, unchanged: 0, failed: 3 });
        expect(await found()).toEqual([]);
        expect(await imported({ allowErased: true })).toMatchObject({ stored: 3, unchanged: 0, failed: 0 });
        expect(await found()).toEqual(['Zoe lives in Oslo', 'Zoe rows and swims']);
        const before = await written();
        for (const options of [{ allowErased: true }, {}])
          expect(await imported(options)).toMatchObject({ stored: 0, unchanged: 3, failed: 0 });
        expect(await written()).toBe(before);
      }
      expect((await verifyLedger(home.ledger)).broken).toEqual([]);
    },
  );

  it('says of another bank’s memory that it is one', async () => {
    const home = await opened();
    const other = await opened('other');
    const { memory_id } = await other.commands.write({ content: 'theirs' }, other.caller('write'));
    const who = home.caller('erase');
    const asked = { memory_id, mode: 'erase', reason: 'r' } as const;
    await expect(home.commands.forget(asked, who)).rejects.toThrow(code('memory_of_another_bank'));
    await expect(home.commands.erase({ memory_ids: [memory_id!], reason: 'r' }, who)).rejects.toThrow(
      code('memory_of_another_bank'),
    );
    await expect(home.commands.forget({ ...asked, memory_id: 'nobody' }, who)).rejects.toThrow(
      code('memory_not_found'),
    );
  });

  it('ends what was believed at the erasure, whatever is written since; of rows without scores none are spoken of', async () => {
    const home = await opened();
    const who = home.caller('history');
    const { memory_id, basis } = await home.commands.write({ content: 'the safe opens by 1234', key: 'safe' }, who);
    await home.commands.write({ content: 'the safe opens by 5678', key: 'safe' }, who);
    await erase(home, { memory_ids: [memory_id] });
    const believed = async () => {
      const { entries } = await home.queries.history({ memory_id }, who);
      const erasure = entries.find(({ event }) => event === 'erased')!;
      return entries
        .filter(({ version }) => version !== undefined)
        .map(({ system_from, system_to }) => [
          system_to === undefined ? 'still' : system_to >= system_from,
          system_to === erasure.recorded_at,
        ]);
    };
    // That the first one held until the second was still believed.
    const before = await believed();
    expect(before).toEqual([
      [true, true],
      [true, true],
    ]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await home.commands.write({ content: 'the safe is gone', key: 'safe' }, who);
    expect(await believed()).toEqual([...before, ['still', false]]);

    const diff = await home.queries.audit({ ask: 'diff', from: basis! }, who);
    expect(diff).toMatchObject({ altered_by_erasure: true });
    expect(diff.notes).toEqual([expect.stringMatching(/was erased since: rows may not be/)]);
    const then = await home.queries.history({ memory_id, basis: basis! }, who);
    expect(then.notes).toEqual([expect.stringMatching(/^This memory was erased since/)]);
  });

  it('takes the records of what was asked and answered about it', async () => {
    const home = await opened();
    const who = home.caller('search');
    const { memory_id } = await home.commands.write({ content: 'the launch is on Friday' }, who);
    await home.commands.write({ content: 'lunch is at noon' }, who);
    await home.queries.search({ query: 'when is the launch', min_score: 0 }, who);
    await home.queries.search({ query: 'when is lunch', min_score: 0 }, who);
    expect((await erase(home, { memory_ids: [memory_id] })).erasure).toMatchObject({ recalls: 1 });
    expect((await erase(home, { subject: 'lunch' })).erasure).toMatchObject({ recalls: 1 });
  });

  it('takes of a person what came after they were erased, and counts nothing twice', async () => {
    const home = await opened();
    const who = home.caller('search');
    const reads = ({ erasure }: ForgetOutput) => {
      expect(JSON.parse(erasure!.certificate!.text).what.reads).toBe(erasure!.recalls);
      return erasure!.recalls;
    };
    await home.commands.write({ content: 'Ada drinks tea', subjects: ['Ada'] }, who);
    for (const query of ['who drinks tea', 'where is Ada', 'who is Bob'])
      await home.queries.search({ query, min_score: 0 }, who);
    const first = await erase(home, { subject: 'Ada' });
    expect([first.total, reads(first)]).toEqual([1, 2]);
    const nothing = await erase(home, { subject: 'Ada' });
    expect([nothing.status, nothing.total, reads(nothing)]).toEqual(['erased', 0, 0]);

    await home.queries.search({ query: 'who was Ada', min_score: 0 }, who);
    const asked = await erase(home, { subject: 'Ada' });
    expect([asked.status, asked.total, reads(asked)]).toEqual(['erased', 0, 1]);

    const { memory_id } = await home.commands.write({ content: 'Ada drinks coffee', subjects: ['Ada'] }, who);
    await home.queries.search({ query: 'coffee', min_score: 0 }, who);
    const again = await erase(home, { subject: 'Ada' });
    expect(again).toMatchObject({ status: 'erased', forgotten: [memory_id] });
    expect(reads(again)).toBe(1);
    expect((await home.queries.search({ query: 'coffee', min_score: 0 }, who)).items).toEqual([]);

    // A memory that was erased, written anew and erased again.
    const slot = { content: 'the safe opens by 1234', key: 'safe' };
    for (const expected of [2, 1]) {
      const written = await home.commands.write(slot, who);
      for (let times = 0; times < expected; times++) await home.queries.search({ query: 'safe', min_score: 0 }, who);
      expect(reads(await erase(home, { memory_ids: [written.memory_id] }))).toBe(expected);
    }
  });

  it('ends a bank; its name makes a new, empty one', async () => {
    const home = await opened('doomed');
    const other = await opened();
    const who = home.caller('write');
    await home.commands.write({ content: 'the moon is far' }, who);
    const { confirm, total } = await home.commands.eraseBank({ reason: 'r' }, who);
    expect(total).toBe(1);
    expect(await home.commands.eraseBank({ reason: 'r', confirm }, who)).toMatchObject({ status: 'erased' });
    await expect(home.commands.write({ content: 'x' }, who)).rejects.toThrow(code('bank_erased'));
    await expect(other.commands.write({ content: 'x' }, { ...who })).rejects.toThrow(code('bank_erased'));
    const anew = await home.commands.bankNamed('doomed');
    expect(anew).not.toBe(home.bank);
    expect((await home.queries.search({ query: 'moon', min_score: 0 }, { ...who, bank: anew })).items).toEqual([]);
    await expect(home.queries.search({ query: 'moon', min_score: 0 }, who)).rejects.toThrow(code('bank_erased'));
    expect((await verifyLedger(home.ledger)).broken).toEqual([]);
  });
});

describe('a bank that was deleted', () => {
  /** With what was asked of it before. */
  async function deleted(keyBackup?: { readonly place: string }) {
    const keep = keyBackup ? { keyBackup: join(keyBackup.place, 'copy.keys') } : {};
    const { config } = loadConfig({ flags: { home: folder, bank: 'doomed', ...keep } });
    const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
    open.push(home);
    const who = home.caller('search');
    const { memory_id } = await home.commands.write({ content: 'the moon is far', key: 'moon' }, who);
    const { basis } = await home.queries.search({ query: 'moon', min_score: 0 }, who);
    const { confirm } = await home.commands.eraseBank({ reason: 'r' }, who);
    if (keyBackup) {
      const { mayDestroy } = home.vault;
      Object.assign(home.vault, {
        mayDestroy: () => mayDestroy().then(() => rmSync(keyBackup.place, { recursive: true })),
      });
    }
    const { status } = await home.commands.eraseBank({ reason: 'r', confirm }, who);
    return { home, who, memory_id: memory_id!, basis, status };
  }

  async function refusesReads({ home, who, memory_id, basis }: Awaited<ReturnType<typeof deleted>>) {
    const { queries } = home;
    const reads: Record<string, () => Promise<unknown>> = {
      search: () => queries.search({ query: 'moon', min_score: 0 }, who),
      'search by a basis': () => queries.search({ query: 'moon', min_score: 0, basis }, who),
      'search as of': () => queries.search({ query: 'moon', min_score: 0, as_of: '2026-01-01' }, who),
      history: () => queries.history({ memory_id }, who),
      'history of a key': () => queries.history({ key: 'moon', basis }, who),
      item: () => queries.item(memory_id, who),
      stats: () => queries.stats(who),
      audit: () => queries.audit({ ask: 'events' }, who),
      belief: () => queries.audit({ ask: 'belief', query: 'moon', at: '2026-01-01' }, who),
    };
    for (const [name, read] of Object.entries(reads)) await expect(read(), name).rejects.toThrow(code('bank_erased'));
  }

  it('says so to whatever is read of it', async () => {
    const gone = await deleted();
    expect(gone.status).toBe('erased');
    await refusesReads(gone);
    const other = await opened();
    await refusesReads({ ...gone, home: other });
    expect(await other.queries.stats(other.caller('stats'))).toMatchObject({ memories: { total: 0 } });
  });

  it('says so while its keys are still there', async () => {
    const place = join(folder, 'place');
    mkdirSync(place);
    const gone = await deleted({ place });
    expect(gone.status).toBe('erasing');
    await refusesReads(gone);
  });
});
