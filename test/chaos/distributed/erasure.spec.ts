import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import { openPostgresVault } from '#sealing/postgres/open-postgres-vault.js';
import type { Vault } from '#sealing/vault.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import type { StackClient } from '#test/stack/mcp-client.js';
import { filesUnder, plantedIn } from '#test/support/planted.js';
import { openAll, type VectorInStore, vectorScan } from '#test/support/planted-vectors.js';
import { sentinels } from '#test/support/sentinels.js';
import { untilEmbedded } from '#test/support/until-embedded.js';
import { unpackVector } from '#understanding/embeddings/scan/packed-vector.js';
import { type ChaosStack, onDatabase, startChaosStack } from './chaos-stack.js';

const roles = 'reader,writer,reviewer,auditor,eraser';
/** Milliseconds that others have to finish what was ordered while something was away. */
const within = 120_000;

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('an erasure on servers', () => {
  let stack: ChaosStack;
  let client: StackClient;
  const folder = () => dirname(stack.home);
  const asked = (subject: string) => ({ filter: { subject }, mode: 'erase', reason: 'asked to' });

  beforeAll(async () => {
    stack = await startChaosStack({
      services: { ingest: 1, relay: 1, projector: 1, query: 1 },
      env: { HINDSIGHT_LEDGER_LOG_LEVEL: 'trace', HINDSIGHT_LEDGER_EMBEDDINGS: 'e5' },
    });
    client = await stack.client(await stack.token({ roles }));
  });
  afterAll(async () => {
    await client?.close().catch(() => undefined);
    await stack?.close();
  });

  async function confirmed(subject: string): Promise<string> {
    // After an engine was away the views may take longer to come to the last write than a call waits.
    for (const until = Date.now() + within; ; await sleep(500)) {
      const shown = await client.call('memory_forget', asked(subject));
      if (shown.structured.status === 'dry_run') return String(shown.structured.confirm);
      if (!shown.text.startsWith('views_behind') || Date.now() > until) throw new Error(shown.text);
    }
  }

  /** Erasures that the ledger says are completed: nobody asks the services anything. */
  async function completions(): Promise<number> {
    const ledger = await openEventStoreLedger(stack.eventStore!.connectionString);
    let found = 0;
    for await (const { type } of ledger.readAll()) if (type === 'ErasureCompleted') found += 1;
    await ledger.close();
    return found;
  }

  async function untilCompleted(count: number): Promise<void> {
    for (const until = Date.now() + within; (await completions()) < count; await sleep(1_000))
      if (Date.now() > until) throw new Error('it was not completed by itself');
  }

  /** What became of an order: asked again by its token, which orders nothing anew. */
  async function completed(subject: string, confirm: string): Promise<unknown> {
    for (const until = Date.now() + within; ; await sleep(500)) {
      const told = await client.call('memory_forget', { ...asked(subject), confirm }).catch(() => undefined);
      if (told?.structured.status === 'erased') return told.structured;
      if (Date.now() > until) throw new Error(`not completed: ${told?.text}`);
    }
  }

  /** Vectors as they stand in the views, in the order of docs. */
  async function vectorsInStore(): Promise<VectorInStore[]> {
    const spaces = await onDatabase(stack.databases.viewsAdminUrl, ['SELECT * FROM hindsight.hl_vector_spaces']);
    const rows: VectorInStore[] = [];
    for (const { name, model, dimensions } of spaces) {
      const found = await onDatabase(stack.databases.viewsAdminUrl, [
        `SELECT b.id AS bank, v.doc::integer, v.sealed FROM hindsight.${name} AS v JOIN hindsight.hl_banks AS b ON b.number = v.bank
          WHERE v.sealed IS NOT NULL ORDER BY v.doc`,
      ]);
      rows.push(...found.map((row) => ({ ...row, model, dimensions }) as unknown as VectorInStore));
    }
    return rows;
  }

  /** The keys as they are now. */
  async function withVault<T>(work: (vault: Vault) => Promise<T>): Promise<T> {
    const ledger = await openEventStoreLedger(stack.eventStore!.connectionString);
    const places = { url: stack.databases.keysUrl, masterKeyFile: join(stack.home, 'master.key') };
    const options = { ledger: ledger.id, ledgerHasEvents: true, create: false };
    await ledger.close();
    const vault = await openPostgresVault(places, { random: randomBytes }, options);
    return work(vault).finally(() => vault.close());
  }

  /** What an erasure left before vectors were sealed: a row that was removed. */
  async function plantUnsealed(packed: Uint8Array): Promise<void> {
    const half = `[${Array.from(unpackVector(packed)).join(',')}]`;
    await onDatabase(stack.databases.viewsAdminUrl, [
      `CREATE TABLE public.control (packed bytea, vector halfvec(${packed.length - 4}))`,
      'ALTER TABLE public.control ALTER COLUMN packed SET STORAGE PLAIN, ALTER COLUMN vector SET STORAGE PLAIN',
      `INSERT INTO public.control (packed) VALUES ('\\x${Buffer.from(packed).toString('hex')}')`,
      `INSERT INTO public.control (vector) VALUES ('${half}')`,
      'DELETE FROM public.control',
      'CHECKPOINT',
    ]);
  }

  it('leaves nothing of fifty words, and no vector, in any file of any engine, in the home or in a log', async () => {
    const planted = sentinels();
    await client.call('memory_write', { content: 'The bystander stays', key: 'stays', subjects: ['Bystander'] });
    await planted.plant({
      call: (tool, args) => client.call(tool, args),
      run: (words) => stack.command(words),
      folder: folder(),
    });
    const found = await client.call('memory_search', { query: planted.words[2]! });
    expect(JSON.stringify(found.structured.items)).toContain(planted.words[2]);
    await untilEmbedded(client);
    const rows = await vectorsInStore();
    expect(rows.length).toBeGreaterThan(planted.memories());
    const vectors = await withVault((vault) => openAll(vault, rows));
    // That of the bystander, who stays: what is found of it shows that the others would be.
    await plantUnsealed(vectors[0]!);
    // Recalls are put on record in groups.
    await sleep(1_000);
    const confirm = await confirmed(planted.person);
    const done = await client.call('memory_forget', { ...asked(planted.person), confirm });
    expect(['erased', 'erasing'], done.text).toContain(done.structured.status);
    const erased = (await completed(planted.person, confirm)) as {
      total: number;
      erasure: { certificate: { text: string } };
    };
    expect(erased.total).toBe(planted.memories());
    const certified = JSON.parse(erased.erasure.certificate.text) as { what: { reads: number }; check: object };
    expect(certified.check).toMatchObject({ events_opened: 0, rows_left: 0 });

    for (const word of planted.words.slice(2, 8)) {
      const again = await client.call('memory_search', {
        query: word,
        include: ['superseded', 'retracted', 'archived'],
        min_score: 0,
      });
      expect(plantedIn(planted.words, Buffer.from(JSON.stringify(again.structured.items)))).toEqual([]);
    }
    expect((await client.call('memory_search', { query: 'bystander' })).structured.items).toHaveLength(1);
    const exported = await stack.command(['export']);
    expect(exported.code, exported.stderr).toBe(0);
    expect(plantedIn(planted.words, Buffer.from(exported.stdout))).toEqual([]);
    expect((await stack.command(['verify'])).code).toBe(0);

    // All that Redis holds in memory, in a file.
    const redis = new Redis(stack.engines.redis.url);
    await redis.save();
    redis.disconnect();
    const places = [...Object.values(stack.engines).map((engine) => engine.folder), folder()];
    await onDatabase(stack.databases.viewsAdminUrl, ['CHECKPOINT']);
    const scanned = places.flatMap(filesUnder);
    const bytes: string[] = [];
    const scan = vectorScan(vectors);
    const withVector: { readonly file: string; readonly found: number[] }[] = [];
    for (const file of scanned) {
      // What a server removes meanwhile holds nothing. It takes minutes, and connections are to be seen closing.
      const held = await readFile(file).catch(() => Buffer.alloc(0));
      bytes.push(...plantedIn(planted.words, held).map((word) => `${word} in ${file}`));
      const found = scan(held);
      if (found.length > 0) withVector.push({ file, found });
    }
    expect(bytes).toEqual([]);
    expect(withVector.filter(({ found }) => found.some((of) => of > 0))).toEqual([]);
    expect(withVector.some(({ file }) => file.includes('/base/'))).toBe(true);
    expect(withVector.some(({ file }) => file.includes('/pg_wal/'))).toBe(true);
    await withVault(async (vault) => {
      expect(await openAll(vault, rows.slice(0, 1))).toEqual([vectors[0]]);
      for (const row of rows.slice(1)) await expect(openAll(vault, [row])).rejects.toThrow('is gone');
    });
    expect(scanned.some((file) => file.endsWith('dump.rdb'))).toBe(true);
    expect(scanned.some((file) => file.includes('/pg_wal/'))).toBe(true);
    expect(scanned.some((file) => file.endsWith('.log') && file.includes('hl'))).toBe(true);
    expect(scanned.some((file) => file.startsWith(join(folder(), 'events')))).toBe(true);
    const logs = Buffer.from(stack.services.map((service) => service.log()).join('\n'));
    expect(plantedIn(planted.words, logs)).toEqual([]);
    console.log(
      `scanned ${scanned.length} files for ${planted.words.length} words and ${vectors.length} vectors; reads that went: ${certified.what.reads}`,
    );
  });

  const away: Record<string, { down: () => Promise<void>; up: () => Promise<void> }> = {
    Kafka: { down: () => stack.engines.kafka.kill(), up: () => stack.engines.kafka.start() },
    Redis: { down: () => stack.engines.redis.kill(), up: () => stack.engines.redis.start() },
    'the projector': {
      down: () => stack.of('projector')[0]!.kill(),
      up: async () => stack.of('projector')[0]!.start(),
    },
  };

  it.each(Object.keys(away))('is finished by itself after %s was away', async (name) => {
    const person = `Somebody while ${name} is away`;
    await client.call('memory_write', { content: 'says something', subjects: [person] });
    const confirm = await confirmed(person);
    const before = await completions();
    await away[name]!.down();
    const told = await client.call('memory_forget', { ...asked(person), confirm }).finally(() => away[name]!.up());
    expect(told.structured.status, told.text).toBe('erasing');
    await untilCompleted(before + 1);
    expect(await completed(person, confirm)).toMatchObject({ status: 'erased', total: 1 });
  });

  it.each([
    ['the views database', () => stack.engines.views.kill(), () => stack.engines.views.start()],
    ['EventStoreDB', () => stack.eventStore!.kill(), () => stack.eventStore!.start()],
    ['the ingest service', () => stack.of('ingest')[0]!.kill(), async () => stack.of('ingest')[0]!.start()],
  ] as const)('is finished by itself after %s went away in the middle of it', async (name, down, up) => {
    const person = `Somebody in the middle of ${name}`;
    await client.call('memory_write', { content: 'says something', subjects: [person] });
    const confirm = await confirmed(person);
    const before = await completions();
    // So that it cannot be completed before the other one goes.
    await away.Kafka!.down();
    const told = await client.call('memory_forget', { ...asked(person), confirm });
    expect(told.structured.status, told.text).toBe('erasing');
    await down();
    await sleep(1_000);
    await away.Kafka!.up();
    await up();
    await untilCompleted(before + 1);
    expect(await completed(person, confirm)).toMatchObject({ status: 'erased', total: 1 });
  });

  // Without it nobody is let in: it goes while the order is carried out.
  it.each([20, 100, 300])('is ended when the keys database goes %i ms after it was confirmed', async (after) => {
    const person = `Somebody ${after} ms before the keys`;
    const items = Array.from({ length: 100 }, (_, at) => ({ content: `says ${at}`, subjects: [person] }));
    await client.call('memory_write', { items });
    const confirm = await confirmed(person);
    const call = client.call('memory_forget', { ...asked(person), confirm }).catch(() => undefined);
    await sleep(after);
    await stack.engines.keys.kill();
    await call;
    await stack.engines.keys.start();
    expect(await completed(person, confirm)).toMatchObject({ status: 'erased', total: 100 });
  });
});
