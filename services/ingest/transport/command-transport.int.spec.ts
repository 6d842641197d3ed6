import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandPort } from '#contract/command-port.js';
import { commandPattern } from '#contract/command-transport/call.js';
import { signedCall } from '#contract/command-transport/sign.js';
import { HindsightError } from '#contract/errors.js';
import { commandConnection } from '#query/remote-commands/command-connection.js';
import { type RemoteCommands, remoteCommands } from '#query/remote-commands/remote-commands.js';
import { type IngestHome, type IngestProcess, ingestHome, sources } from '../test-support/ingest-home.js';
import { startLosingProxy } from '../test-support/losing-proxy.js';
import { type CommandListener, startCommandServer } from './start-command-server.js';

const key = randomBytes(32);
const logged: { fields: object; message: string }[] = [];
const note = (fields: object, message: string) => void logged.push({ fields, message });
const log = { debug: note, info: note, warn: note, error: note };

let home: IngestHome;
let process: IngestProcess;
const closing: (() => Promise<void> | void)[] = [];
beforeEach(async () => {
  home = await ingestHome();
  process = await home.process();
  logged.length = 0;
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await home.remove();
});

async function listen(commands: CommandPort = process.commands, now = Date.now): Promise<CommandListener> {
  const listener = await startCommandServer({
    commands,
    serviceKey: async () => key,
    host: '127.0.0.1',
    port: 0,
    log,
    now,
  });
  closing.push(() => listener.close());
  return listener;
}

function remote(ports: readonly number[], options: { attemptMs?: number; callMs?: number; key?: Buffer } = {}) {
  const commands = remoteCommands({
    addresses: ports.map((port) => `127.0.0.1:${port}`),
    serviceKey: async () => options.key ?? key,
    sources,
    log,
    ...options,
  });
  closing.push(() => commands.close());
  return commands;
}

async function losingProxy(target: number) {
  const { close, ...proxy } = await startLosingProxy(target);
  closing.push(close);
  return proxy;
}

const code = (expected: string) => expect.objectContaining({ code: expected });
const types = async () => (await process.events()).map(({ event }) => event.type);

describe('commands of another process', () => {
  it('are performed and answered as those of this one', async () => {
    const { port } = await listen();
    const commands = remote([port]);
    const { caller } = process;
    const written = await commands.write({ content: 'one', key: 'k', tags: ['a'] }, caller);
    expect(written).toMatchObject({ status: 'stored', version: 1, basis: expect.any(String) });
    const again = await commands.write({ content: 'one', key: 'k' }, caller);
    expect(again).toMatchObject({ status: 'unchanged', version: 1, memory_id: written.memory_id });
    const batch = await commands.write({ items: [{ content: 'two' }, { content: '' }] }, caller);
    expect(batch.items).toMatchObject([{ status: 'stored' }, { status: 'error', error: { code: 'invalid_input' } }]);
    const memory_id = written.memory_id!;
    expect(await commands.forget({ memory_id, reason: 'r' }, caller)).toMatchObject({ forgotten: [memory_id] });
    expect(await commands.restore({ memory_id, reason: 'r' }, caller)).toMatchObject({ status: 'restored' });
    const findings = { entities: [], relations: [], dates: [] };
    const read = {
      memory_id,
      version: 1,
      rules: 1,
      model: '0f1e2d3c4b5a6978',
      tokens: { read: 1, written: 1 },
      findings,
    };
    for (const status of ['recorded', 'unchanged'])
      expect(await commands.enrich(read, caller)).toEqual({ status, memory_id, version: 1 });
    const rated = await commands.rate({ memory_id, outcome: 'useful' }, caller);
    expect(rated).toMatchObject({ status: 'rated', version: 1, weight: expect.any(Number) });
    expect(await process.commands.rate({ memory_id, outcome: 'useful' }, caller)).toMatchObject({
      status: 'unchanged',
      weight: rated.weight,
    });
    expect(await commands.bankNamed('default', 'refuse')).toBe(caller.bank);
    const { envelope } = (await process.events()).at(-1)!;
    expect(envelope).toMatchObject({ principal: 'os:ada', agent: 'spec', tool: 'memory_write' });
  });

  it('reject with the same errors, their details included', async () => {
    const { port } = await listen();
    const commands = remote([port]);
    const { caller, commands: local } = process;
    const absent = { memory_id: randomUUID(), reason: 'r' };
    const here = await local.forget(absent, caller).catch((error: unknown) => error);
    const there = await commands.forget(absent, caller).catch((error: unknown) => error);
    expect(there).toBeInstanceOf(HindsightError);
    expect({ ...(there as HindsightError), message: (there as HindsightError).message }).toEqual({
      ...(here as HindsightError),
      message: (here as HindsightError).message,
    });
    await expect(commands.write({ content: 'x' }, { ...caller, roles: ['reader'] })).rejects.toEqual(code('forbidden'));
  });

  it('tell a fault by an id, never by its message', async () => {
    const { port } = await listen({
      ...process.commands,
      write: () => Promise.reject(new TypeError('secret content')),
    });
    const error = await remote([port])
      .write({ content: 'x' }, process.caller)
      .catch((each: unknown) => each);
    expect(error).toEqual(code('internal'));
    const { error_id } = (error as HindsightError).details;
    expect(logged.some(({ fields }) => (fields as { errorId?: string }).errorId === error_id)).toBe(true);
    expect(JSON.stringify([logged, (error as Error).message])).not.toContain('secret');
  });

  it('may be as large as a batch may be', async () => {
    const { port } = await listen();
    const items = Array.from({ length: 500 }, (_, at) => ({ content: `${at} ${'"quoted" '.repeat(7_200)}` }));
    const written = await remote([port]).write({ items }, process.caller);
    expect(written.items!.filter(({ status }) => status === 'stored')).toHaveLength(500);
  });
});

describe('an answer that is lost', () => {
  it.each(['same', 'other'] as const)('comes again as the first, from the %s service', async (which) => {
    const first = await listen();
    const second = await listen((await home.process()).commands);
    const proxy = await losingProxy(first.port);
    const ports = which === 'same' ? [proxy.port] : [proxy.port, second.port];
    const { caller } = process;
    const asked = async (ask: (commands: RemoteCommands) => Promise<unknown>) => {
      const commands = remote(ports);
      // Whichever it begins with: until one answer was lost.
      proxy.state.losing = 1;
      let answer = await ask(commands);
      if (proxy.state.losing > 0) answer = await ask(commands);
      proxy.state.losing = 0;
      return answer;
    };
    const plain = await asked((commands) => commands.write({ content: `plain ${which}` }, caller));
    expect(plain).toMatchObject({ status: 'stored', version: 1 });
    const slot = await asked((commands) => commands.write({ content: randomUUID(), key: 'slot' }, caller));
    expect(slot).toMatchObject({ status: 'stored' });
    const items = [{ content: 'a' }, { content: 'b', key: 'b' }, { content: 'c', idempotency_key: randomUUID() }];
    const batch = (await asked((commands) => commands.write({ items }, caller))) as { items: { status: string }[] };
    expect(batch.items.map(({ status }) => status)).toEqual(['stored', expect.any(String), 'stored']);
    const memory_id = (plain as { memory_id: string }).memory_id;
    const forgotten = await asked((commands) => commands.forget({ memory_id, reason: 'r' }, caller));
    expect(forgotten).toMatchObject({ status: expect.stringMatching(/forgotten|unchanged/) });
    const restored = await asked((commands) => commands.restore({ memory_id, reason: 'r' }, caller));
    expect(restored).toMatchObject({ status: expect.stringMatching(/restored|unchanged/) });
  });

  it('is exact: of each lost answer, one event', async () => {
    const first = await listen();
    const second = await listen((await home.process()).commands);
    const proxies = [await losingProxy(first.port), await losingProxy(second.port)];
    const commands = remote(proxies.map(({ port }) => port));
    const { caller } = process;
    const before = (await types()).length;
    const lose = () => {
      for (const { state } of proxies) state.losing = 1;
    };
    lose();
    const written = await commands.write({ content: 'once' }, caller);
    expect(written).toMatchObject({ status: 'stored', version: 1 });
    lose();
    const { items } = await commands.write({ items: [{ content: 'x' }, { content: 'y', key: 'y' }] }, caller);
    expect(items).toMatchObject([
      { status: 'stored', version: 1 },
      { status: 'stored', version: 1 },
    ]);
    lose();
    const memory_id = written.memory_id!;
    expect(await commands.rate({ memory_id, outcome: 'wrong' }, caller)).toMatchObject({ status: 'rated' });
    lose();
    expect(await commands.forget({ memory_id, reason: 'r' }, caller)).toMatchObject({ status: 'forgotten' });
    lose();
    expect(await commands.restore({ memory_id, reason: 'r' }, caller)).toMatchObject({ status: 'restored' });
    expect((await types()).slice(before)).toEqual([
      'MemoryRecorded',
      'MemoryRecorded',
      'MemoryRecorded',
      'MemoryRated',
      'MemoryForgotten',
      'MemoryRestored',
    ]);
  });

  it('that does not come in time is outcome_unknown, and the key that it names finds out', async () => {
    const { port } = await listen();
    const proxy = await losingProxy(port);
    proxy.state.losing = 1_000;
    const { caller, commands: local } = process;
    const input = { content: 'unsure' };
    const lost = await remote([proxy.port], { callMs: 300 })
      .write(input, caller)
      .catch((error: unknown) => error);
    expect(lost).toEqual(code('outcome_unknown'));
    const { idempotency_key } = (lost as HindsightError).details as { idempotency_key: string };
    expect((lost as Error).message).toContain(idempotency_key);
    const before = (await types()).length;
    const found = await local.write({ ...input, idempotency_key }, caller);
    expect(found).toMatchObject({ status: 'stored', version: 1 });
    const items = [{ content: 'a' }, { content: 'b', key: 'b' }];
    const batch = await remote([proxy.port], { callMs: 300 })
      .write({ items }, caller)
      .catch((error: unknown) => error);
    const keys = (batch as HindsightError).details.idempotency_keys as string[];
    const again = await local.write(
      { items: items.map((item, at) => ({ ...item, idempotency_key: keys[at] })) },
      caller,
    );
    expect(again.items).toMatchObject([{ status: 'stored' }, { status: 'stored', version: 1 }]);
    expect((await types()).length).toBe(before + 2);
  });
});

describe('an ingest service that is away', () => {
  it('is passed over for the next one', async () => {
    const gone = await listen();
    const there = await listen((await home.process()).commands);
    const commands = remote([gone.port, there.port]);
    await gone.close();
    for (let at = 0; at < 4; at++)
      expect(await commands.write({ content: `${at}` }, process.caller)).toMatchObject({ status: 'stored' });
  });

  it('is given up when it says nothing, and its connection with it', async () => {
    const { port } = await listen();
    const proxy = await losingProxy(port);
    proxy.state.swallowing = true;
    const commands = remote([proxy.port], { attemptMs: 300, callMs: 10_000 });
    const writing = commands.write({ content: 'through a new connection' }, process.caller);
    await sleep(100);
    proxy.state.swallowing = false;
    expect(await writing).toMatchObject({ status: 'stored' });
    expect(await types()).toEqual(['BankCreated', 'MemoryRecorded']);
  });

  it('is named when there is no other', async () => {
    const error = await remote([1], { callMs: 200 })
      .write({ content: 'x' }, process.caller)
      .catch((each: unknown) => each);
    expect(error).toEqual(code('unreachable'));
    expect((error as Error).message).toMatch(/127\.0\.0\.1:1 \(ECONNREFUSED\).*Nothing was done/);
  });

  it('answers what is in flight before it stops, and takes no more', async () => {
    let go = () => {};
    const slow: CommandPort = {
      ...process.commands,
      async write(...asked) {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        return process.commands.write(...asked);
      },
    };
    const listener = await listen(slow);
    const commands = remote([listener.port], { callMs: 2_000 });
    const writing = commands.write({ content: 'in flight' }, process.caller);
    await expect.poll(() => go.toString()).not.toBe('() => {}');
    const stopped = listener.close();
    await sleep(20);
    const late = commands.bankNamed('default').catch((error: unknown) => error);
    go();
    expect(await writing).toMatchObject({ status: 'stored' });
    await stopped;
    expect(await late).toEqual(code('unreachable'));
  });
});

describe('a call that is not to be trusted', () => {
  const call = (given: object = {}) =>
    JSON.stringify({ v: 1, id: randomUUID(), deadline: Date.now() + 5_000, asked: { method: 'ping' }, ...given });

  it.each([
    ['unsigned', () => ({ call: call(), attempt: 1, mac: '' })],
    ['unsigned', () => signedCall(randomBytes(32), call(), 1)],
    ['unsigned', () => ({ ...signedCall(key, call(), 1), attempt: 2 })],
    ['unsigned', () => ({ ...signedCall(key, call(), 1), call: call({ asked: { method: 'bankNamed' } }) })],
    ['expired', () => signedCall(key, call({ deadline: Date.now() - 31_000 }), 1)],
    ['expired', () => signedCall(key, call({ deadline: Date.now() + 3_600_000 }), 1)],
    ['malformed', () => signedCall(key, call({ asked: { method: 'drop everything' } }), 1)],
    ['malformed', () => ({ admitted: JSON.parse(call()) as object }) as never],
  ] as const)('is refused as %s, and logged by its id', async (why, frame) => {
    const { port } = await listen();
    const connection = commandConnection(`127.0.0.1:${port}`);
    closing.push(() => connection.close());
    expect(await connection.attempt(frame(), 5_000)).toMatchObject({ is: 'refused', refusal: { refused: why } });
    expect(logged).toContainEqual({ fields: expect.objectContaining({ why }), message: 'a call was refused' });
    expect(await types()).toEqual(['BankCreated']);
  });

  it('is refused when the same try comes twice', async () => {
    const { port } = await listen();
    const connection = commandConnection(`127.0.0.1:${port}`);
    closing.push(() => connection.close());
    const frame = signedCall(key, call(), 1);
    expect(await connection.attempt(frame, 5_000)).toMatchObject({ is: 'answered' });
    expect(await connection.attempt(frame, 5_000)).toMatchObject({ is: 'refused', refusal: { refused: 'replayed' } });
  });

  it('is told to the caller as what it is, and so is a service with another key', async () => {
    const { port } = await listen();
    await expect(remote([port], { key: randomBytes(32) }).ping()).rejects.toEqual(code('service_refused'));
  });

  it('ends its connection when its frame is too large or no frame', async () => {
    const { port } = await listen();
    for (const bytes of ['200000000#', 'GET / HTTP/1.1\r\n\r\n#', `3#{"a`, `9#{"id":"x"`]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      socket.write('x'.repeat(100));
      await Promise.race([once(socket, 'close'), sleep(500)]);
      socket.destroy();
    }
    const connection = commandConnection(`127.0.0.1:${port}`);
    closing.push(() => connection.close());
    expect(await connection.attempt(signedCall(key, call(), 1), 5_000)).toMatchObject({ is: 'answered' });
    expect(commandPattern).toBe('hindsight-ledger/command');
  });
});

describe('recalls', () => {
  const recall = () => ({
    recallId: randomUUID(),
    query: 'q',
    at: new Date().toISOString(),
    items: [],
    tookMs: 1,
    subjects: [],
  });

  it('are put on record beside the answering, and wait for a service that is away', async () => {
    const listener = await listen();
    const commands = remote([listener.port], { callMs: 200 });
    await listener.close();
    await commands.recordRecall(recall(), process.caller, false);
    await commands.flush();
    expect(await types()).toEqual(['BankCreated']);
    const again = await startCommandServer({
      commands: process.commands,
      serviceKey: async () => key,
      host: '127.0.0.1',
      port: listener.port,
      log,
    });
    closing.push(() => again.close());
    await expect.poll(types, { timeout: 10_000 }).toEqual(['BankCreated', 'RecallServed']);
  });

  it('and looks into the audit are on record before they are answered, or the answer fails', async () => {
    const { port } = await listen();
    const read = { ask: 'who', rows: 2, parameters: '{"ask":"who"}', subjects: [] };
    await remote([port]).recordAudit(read, process.caller);
    expect((await types()).at(-1)).toBe('AuditRead');
    await expect(remote([1], { callMs: 100 }).recordAudit(read, process.caller)).rejects.toEqual(code('unreachable'));
  });

  it('that must be on record are, or the answer fails', async () => {
    const { port } = await listen();
    await remote([port]).recordRecall(recall(), process.caller, true);
    expect((await types()).at(-1)).toBe('RecallServed');
    await expect(remote([1], { callMs: 100 }).recordRecall(recall(), process.caller, true)).rejects.toEqual(
      code('unreachable'),
    );
  });
});
