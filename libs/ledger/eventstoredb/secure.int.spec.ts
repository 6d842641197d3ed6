import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEventStore, type TestEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import { selfSigned } from '#test/engines/self-signed.js';
import { sampleStream } from '../sample-events.js';
import { openEventStoreLedger } from './eventstoredb-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-secure-'));
const authority = join(folder, 'ca.pem');
let server: TestEventStore;

beforeAll(async () => {
  const tls = selfSigned();
  writeFileSync(authority, tls.certificate);
  server = await startEventStore({ folder, nodes: 2, tls, user: { name: 'ledger', password: 'p@ss:word' } });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const address = (user: string, protocol = 'esdb') =>
  `${protocol}://${user}@127.0.0.1:${server.ports[0]}?tls=true&tlsCAFile=${encodeURIComponent(authority)}`;

it.each(['esdb', 'esdb+discover'])(
  'appends, reads and subscribes with TLS, user and password over %s',
  async (protocol) => {
    const ledger = await openEventStoreLedger(address('ledger:p%40ss%3Aword', protocol), {
      name: protocol.slice(5) || 'one',
    });
    const stream = sampleStream(ledger.id);
    await ledger.append(stream.name, [stream.next()], 'no_stream');
    expect(await ledger.head()).toBeDefined();
    const told: string[] = [];
    for await (const each of ledger.subscribeAll(undefined, new AbortController().signal)) {
      if ('caughtUp' in each) break;
      told.push(each.stream);
    }
    expect(told).toEqual([stream.name]);
    await ledger.close();
  },
);

it('is told that the user is refused, at once and without the password', async () => {
  const error = await openEventStoreLedger(address('ledger:wr0ng')).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'invalid_config' });
  expect(String(error)).not.toContain('wr0ng');
});

it('does not talk to a server whose certificate it does not know', async () => {
  const plain = `esdb://ledger:p%40ss%3Aword@127.0.0.1:${server.ports[0]}?tls=true`;
  await expect(openEventStoreLedger(plain, { patience: 300 })).rejects.toMatchObject({ code: 'unreachable' });
});
