import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entry, temporaryHome } from '#test/support/built-server.js';
import { createToken, type HttpServer, startHttpServer } from '#test/support/http-server.js';
import { type Inspected, installInspector } from '#test/support/inspector.js';

const { path: home, remove } = temporaryHome();
let inspect: (...args: string[]) => Promise<Inspected>;
let server: HttpServer;
let overHttp: string[];

beforeAll(async () => {
  inspect = installInspector(home);
  const token = await createToken(home, 'inspector', 'reader,writer,auditor');
  server = await startHttpServer(home);
  overHttp = [`${server.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
});
afterAll(async () => {
  await server?.stop();
  remove();
});

const faces = [
  { face: 'stdio', target: () => [process.execPath, entry, '-e', `HINDSIGHT_LEDGER_HOME=${home}`] },
  { face: 'http', target: () => overHttp },
];

describe.each(faces)('over $face', ({ face, target }) => {
  const run = (method: string, ...args: string[]) => inspect(...target(), '--method', method, ...args);
  const call = async (tool: string, ...args: string[]) => {
    const withArgs = args.length > 0 ? ['--tool-arg', ...args] : [];
    const { code, out, err } = await run('tools/call', '--tool-name', tool, ...withArgs);
    expect(code, `${tool}: ${JSON.stringify(out)} ${err}`).toBe(0);
    return (out as { structuredContent: Record<string, unknown> }).structuredContent;
  };

  it('lists the tools without a complaint about their schemas', async () => {
    const { code, out, err } = await run('tools/list', '--strict');
    expect(code).toBe(0);
    expect(err).not.toMatch(/warning|[1-9]\d* errors?/i);
    const { tools } = out as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'memory_audit',
      'memory_feedback',
      'memory_forget',
      'memory_history',
      'memory_restore',
      'memory_search',
      'memory_stats',
      'memory_write',
    ]);
  });

  it('calls every tool', async () => {
    const key = `inspected.${face}`;
    const { memory_id } = await call(
      'memory_write',
      `content=The ${face} face is inspected.`,
      `key=${key}`,
      'tags=["seen"]',
    );
    const id = String(memory_id);
    expect(await call('memory_write', `content=The ${face} face was inspected.`, `key=${key}`)).toMatchObject({
      memory_id: id,
      version: 2,
      superseded: 1,
    });
    expect(await call('memory_search', `query=${face}`, 'top_k=3', 'explain=true')).toMatchObject({
      items: [{ id, version: 2, status: 'current' }],
    });
    const rating = [`memory_id=${id}`, 'outcome=useful', 'note=it was seen'];
    expect(await call('memory_feedback', ...rating)).toMatchObject({ status: 'rated', memory_id: id, version: 2 });
    expect(await call('memory_feedback', ...rating)).toMatchObject({ status: 'unchanged' });
    expect(await call('memory_forget', `memory_id=${id}`, 'reason=to see it go')).toMatchObject({ forgotten: [id] });
    expect(await call('memory_search', `query=${face}`)).toMatchObject({ items: [] });
    expect(await call('memory_restore', `memory_id=${id}`, 'reason=to see it again')).toMatchObject({
      status: 'restored',
      item: { id, status: 'current' },
    });
    const { entries } = await call('memory_history', `key=${key}`);
    expect((entries as { event: string }[]).map(({ event }) => event)).toEqual([
      'recorded',
      'revised',
      'rated',
      'forgotten',
      'restored',
    ]);
    expect(await call('memory_stats')).toMatchObject({ bank: 'default' });
    expect(await call('memory_audit', 'ask=who', `key=${key}`)).toMatchObject({
      rows: [
        { change: 'added' },
        { change: 'revised' },
        { change: 'rated', outcome: 'useful', why: 'it was seen' },
        { change: 'forgotten' },
        { change: 'restored' },
      ],
    });
  });

  it('shows an input error as one that the caller can mend', async () => {
    const { code, out } = await run('tools/call', '--tool-name', 'memory_search', '--tool-arg', 'query=x', 'top_k=300');
    expect(code).toBe(5);
    expect(JSON.stringify(out)).toContain('top_k is 300, but takes a whole number from 1 to 100.');
  });

  it('reads resources and prompts', async () => {
    const stats = await run('resources/read', '--uri', 'memory://default/stats');
    expect(JSON.stringify(stats.out)).toContain('by_kind');
    const { out: templates } = await run('resources/templates/list');
    expect(JSON.stringify(templates)).toContain('memory://{bank}/{id}/versions');
    const { out: prompts } = await run('prompts/list');
    expect(JSON.stringify(prompts)).toMatch(/recall-first.*distil-session/);
  });
});
