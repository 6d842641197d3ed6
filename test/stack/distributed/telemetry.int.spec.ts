import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from '#telemetry/otlp/test-support/otlp-receiver.js';
import { withEngine } from '#test/engines/with-engine.js';
import { type Stack, startStack } from '../start-stack.js';

const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
const documented = new Set([...page.matchAll(/^\| `(hindsight_ledger_\w+)`/gm)].map(([, name]) => name!));

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const planted = ['Quillfeather', 'Brambletoft', 'Ottersworth'];

withEngine(
  'postgres',
  'redis',
  'kafka',
)('services that are watched', () => {
  let receiver: OtlpReceiver;
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    receiver = await otlpReceiver();
    stack = await startStack({ env: { HINDSIGHT_LEDGER_OTLP_URL: receiver.url, HINDSIGHT_LEDGER_RATE_LIMIT: '60' } });
    await stack.ready();
    client = new Client({ name: 'spec', version: '1' });
    const headers = { Authorization: `Bearer ${await stack.token()}` };
    const url = new URL('/mcp', stack.of('query')[0]!.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  });
  afterAll(async () => {
    await client?.close();
    await stack?.close();
    await receiver?.[Symbol.asyncDispose]();
  });

  const figuresOf = async (role: 'ingest' | 'relay' | 'projector' | 'query') =>
    (await fetch(new URL('/metrics', stack.of(role)[0]!.url))).text();

  it('tell of one write as one trace, from the tool call to where it is read', async () => {
    const written = await client.callTool({
      name: 'memory_write',
      arguments: { content: `${planted[0]} owns the gateway`, key: `owner.${planted[1]}`, tags: [planted[2]] },
      _meta: { traceparent: `00-${traceId}-${spanId}-01` },
    });
    expect(written.structuredContent).toMatchObject({ status: 'stored' });
    const named = (name: string) => receiver.spans.filter((span) => span.traceId === traceId && span.name === name);
    while (
      named('projector commit').length < 4 ||
      named('relay publish').length < 1 ||
      named('tool memory_write').length < 1
    )
      await sleep(50);
    let parent = spanId;
    let found: ReceivedSpan | undefined;
    for (const name of ['tool memory_write', 'command write', 'command write', 'append', 'relay publish']) {
      found = named(name).find(({ parentSpanId }) => parentSpanId === parent);
      expect(found, `${name} under ${parent}`).toBeDefined();
      parent = found!.spanId;
    }
    const [append] = named('append');
    expect(new Set(named('projector commit').map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set([append!.spanId]),
    );
    for (const word of planted) expect(receiver.bodies.join()).not.toContain(word);
  });

  it('say in figures what they did, in those that docs/metrics.md lists', async () => {
    for (const query of ['gateway', 'gateway'])
      await client.callTool({ name: 'memory_search', arguments: { query: `${query} ${planted[0]}` } });
    const expected = {
      ingest: [
        /^hindsight_ledger_appended_events_total\{type="MemoryRecorded"\} 1$/m,
        /command="write",outcome="stored"\} 1$/m,
      ],
      relay: [/^hindsight_ledger_relay_active 1$/m, /^hindsight_ledger_relayed_events_total [1-9]/m],
      projector: [
        /^hindsight_ledger_visible_seconds_count\{projection="memories"\} [1-9]/m,
        /^hindsight_ledger_projection_lag_events\{projection="memories"\} 0$/m,
        /^hindsight_ledger_dead_letters\{projection="memories"\} 0$/m,
      ],
      query: [
        /^hindsight_ledger_recall_seconds_count\{leg="all"\} 2$/m,
        /^hindsight_ledger_cache_requests_total\{cache="answer",outcome="(hit|miss)"\} [12]$/m,
      ],
    } as const;
    for (const [role, lines] of Object.entries(expected)) {
      let figures = '';
      // Lags are measured every few seconds.
      for (let tries = 0; tries < 200 && !lines.every((line) => line.test(figures)); tries++) {
        figures = await figuresOf(role as keyof typeof expected);
        await sleep(50);
      }
      for (const line of lines) expect(figures).toMatch(line);
      for (const [, name] of figures.matchAll(/^# TYPE (\S+)/gm)) expect(documented).toContain(name);
      for (const word of planted) expect(figures).not.toContain(word);
    }
  });

  it('hold a token to its calls over Redis', async () => {
    const statuses = new Set<number>();
    const token = await stack.token();
    for (let call = 0; call < 70 && !statuses.has(429); call++) {
      const answer = await fetch(new URL('/mcp', stack.of('query')[0]!.url), {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{}',
      });
      statuses.add(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect(statuses).toContain(429);
  });
});
