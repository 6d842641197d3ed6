import { expect, it } from 'vitest';
import { fakePorts } from '../testing/fake-ports.js';
import { connectHttp, initialize, post, startHttp } from '../testing/start-http.js';

/** Ports whose searches wait until they are let go. */
function slowPorts() {
  let began = () => {};
  let letGo = () => {};
  const asked = new Promise<void>((resolve) => {
    began = resolve;
  });
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const search = async () => {
    began();
    await held;
    return { items: [], basis: 'b1.x', recall_id: 'r1' };
  };
  return { ports: fakePorts({ queries: { search } }), asked, letGo: () => letGo() };
}

/** A server that is told to stop while it answers a question. */
async function stopDuringSearch() {
  const { ports, asked, letGo } = slowPorts();
  const server = await startHttp({ ports });
  const connected = await connectHttp(server.url, 'ada');
  const answer = connected.client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  await asked;
  const closed = server.app.close();
  return { ports, server, answer, closed, letGo };
}

it('answers what is in flight, then ends', async () => {
  const { server, answer, closed, letGo } = await stopDuringSearch();
  letGo();
  expect(await answer).toMatchObject({ structuredContent: { recall_id: 'r1' } });
  await closed;
  await expect(fetch(new URL('/health/live', server.url))).rejects.toThrow();
});

it('takes no new calls while it stops', async () => {
  const { ports, server, answer, closed, letGo } = await stopDuringSearch();
  const late = await post(server.url, initialize).then(
    ({ status }) => status,
    () => 'refused',
  );
  // On a connection that was open already the answer is 503; a new one is refused.
  expect([503, 'refused']).toContain(late);
  letGo();
  await Promise.all([answer, closed]);
  expect(ports.calls).toEqual([]);
});

it('does not wait for ever', async () => {
  const { ports, asked } = slowPorts();
  const server = await startHttp({ ports, limits: { stopWithinMs: 50 } });
  const connected = await connectHttp(server.url, 'ada');
  const answer = connected.client.callTool({ name: 'memory_search', arguments: { query: 'x' } }).catch(() => 'cut off');
  await asked;
  await server.app.close();
  await connected.client.close();
  expect(await answer).toBe('cut off');
  expect(server.log.lines.join()).toContain('did not finish in time');
});

it('ends open streams and may be asked twice', async () => {
  const server = await startHttp();
  await connectHttp(server.url, 'ada');
  await Promise.all([server.app.close(), server.app.close()]);
  expect(server.log.lines.join()).not.toContain('did not close cleanly');
});
