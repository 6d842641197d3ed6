import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAllThereOnce } from '#test/support/acknowledged.js';
import { startServer, temporaryHome } from '#test/support/built-server.js';

/** Each agent client starts a server of its own; losing each other's writes is the field's most reported fault. */
describe('eight stdio servers on one home', () => {
  const agents = 8;
  const writes = 500;
  const home = temporaryHome();
  const acknowledged = new Set<string>();

  beforeAll(async () => {
    await Promise.all(
      Array.from({ length: agents }, async (_, agent) => {
        const server = await startServer(home.path);
        for (let write = 0; write < writes; write++) {
          const content = `agent ${agent} noted finding number ${write}`;
          const answer = await server.call('memory_write', { content });
          expect(answer.isError, answer.text).toBe(false);
          expect(answer.structured.status).toBe('stored');
          acknowledged.add(content);
        }
        await server.close();
      }),
    );
  });
  afterAll(() => home.remove());

  it('keeps each of their 4,000 writes, none twice', async () => {
    expect(acknowledged.size).toBe(agents * writes);
    await expectAllThereOnce(home.path, acknowledged);
  });

  it('lets each agent find what the others wrote', async () => {
    const server = await startServer(home.path);
    const found = await server.call('memory_search', { query: 'agent 5 finding number 321', top_k: 1 });
    expect((found.structured.items as { content: string }[])[0]?.content).toBe('agent 5 noted finding number 321');
    await server.close();
  });

  it('makes one slot, written by all at the same moment, one memory', async () => {
    const servers = await Promise.all(Array.from({ length: agents }, () => startServer(home.path)));
    const answers = await Promise.all(
      servers.map((server, agent) =>
        server.call('memory_write', { key: 'release.captain', content: `captain ${agent}` }),
      ),
    );
    expect(answers.map((answer) => answer.structured.status)).toEqual(Array(agents).fill('stored'));
    expect(new Set(answers.map((answer) => answer.structured.memory_id)).size).toBe(1);
    expect(answers.map((answer) => answer.structured.version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await Promise.all(servers.map((server) => server.close()));
  });
});
