import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from '#test/engines/tcp-proxy.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { composedServices } from '#test/stack/compose.js';
import { type StackClient, stackClient } from '#test/stack/mcp-client.js';
import { filesUnder, plantedIn, plantedUnder } from '#test/support/planted.js';
import { type ComposedEngines, startComposedEngines } from './composed-engines.js';
import { type ComposedStack, loopbackAddresses, startComposed } from './composed-stack.js';

const example = readFileSync(new URL('../../../infra/.env.example', import.meta.url), 'utf8');
const secret = () => `S${randomBytes(18).toString('hex')}`;
/** As .env.example says. */
const passwords = Object.fromEntries([...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => [name!, secret()]));
const planted = ['Quillfeather', 'Brambletoft', 'Ottersworth', 'Pennywhistle', 'Marrowgate', 'Larkspurton', '紫薇星辰'];

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('the services of infra/docker-compose.yml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-ledger-compose-'));
  let engines: ComposedEngines | undefined;
  let stack: ComposedStack;
  let published: TcpProxy | undefined;
  let client: StackClient | undefined;
  let token: string;
  let memoryId: string;
  beforeAll(async () => {
    const variables = { ...passwords, HINDSIGHT_LEDGER_LOG_LEVEL: 'trace' };
    engines = await startComposedEngines(variables, folder);
    const addresses = loopbackAddresses(composedServices(variables));
    // The port of the host that Docker passes on to the query service.
    published = await startTcpProxy(`http://${addresses.get('query')}:7420`);
    const services = composedServices({ ...variables, HINDSIGHT_LEDGER_PORT: String(published.port) });
    stack = await startComposed(services, addresses, engines, folder);
  });
  afterAll(async () => {
    await client?.close().catch(() => undefined);
    await published?.close();
    stack?.remove();
    await engines?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('come up in the order of the file, and doctor finds nothing wrong', async () => {
    const { code, stdout, stderr } = await stack.exec('query', ['doctor']);
    expect(code, stdout + stderr).toBe(0);
  });

  it('give a token, store what it writes and find it', async () => {
    const created = await stack.exec('query', ['token', 'create', 'agent', '--json']);
    expect(created.code, created.stderr).toBe(0);
    token = JSON.parse(created.stdout).token;
    client = await stackClient(`http://${published!.address}`, token);
    const written = await client.call('memory_write', {
      content: 'Quillfeather owns the gateway 紫薇星辰',
      key: 'owner.Brambletoft',
      tags: ['Ottersworth'],
      metadata: { note: 'Pennywhistle' },
      subjects: ['Marrowgate'],
      idempotency_key: 'Larkspurton-1',
    });
    expect(written.structured, written.text).toMatchObject({ status: 'stored' });
    memoryId = String(written.structured.memory_id);
    const found = await client.call('memory_search', { query: 'Larkspurton gateway', tags: ['Ottersworth'] });
    expect(found.structured, found.text).toMatchObject({ items: [{ key: 'owner.Brambletoft' }] });
    const forgotten = await client.call('memory_forget', {
      memory_id: memoryId,
      reason: 'Larkspurton asked for it',
    });
    expect(forgotten.structured, forgotten.text).toMatchObject({ status: 'forgotten' });
    // Errors quote what was given, to whoever gave it.
    for (const args of [
      { content: 'x', valid_from: 'Quillfeather' },
      { Brambletoft: 'x' },
      { content: 'x', memory_id: 'Ottersworth' },
    ])
      expect((await client.call('memory_write', args)).isError).toBe(true);
    expect((await client.call('memory_history', { key: 'owner.Pennywhistle' })).isError).toBe(true);
    await expect(stackClient(`http://${published!.address}`, 'hl_Marrowgate')).rejects.toThrow();
    expect((await stack.exec('ingest', ['verify'])).code).toBe(0);
  });

  it('leave nothing that a person wrote and no password readable, in logs or with an engine', async () => {
    const held = await engines!.heldByRedis();
    expect(held.length).toBeGreaterThan(0);
    expect(await stack.stop()).toEqual({ ingest: 0, relay: 0, projector: 0, query: 0 });
    await engines!.stop();
    expect(stack.log()).toContain('"level"');
    const secrets = [...planted, ...Object.values(passwords), token];
    expect(plantedIn(secrets, Buffer.from(stack.log())), 'logs').toEqual([]);
    expect(plantedIn(secrets, held), 'Redis').toEqual([]);
    // Ids are no secret: they tell that what was written did come there.
    for (const at of [engines!.folders.views, engines!.folders.feed, engines!.folders.events])
      expect(plantedUnder([memoryId], at), at).not.toEqual([]);
    for (const at of [...Object.values(engines!.folders), join(folder, 'home')]) {
      expect(filesUnder(at).length, at).toBeGreaterThan(0);
      expect(plantedUnder(secrets, at)).toEqual([]);
    }
  });
});
