import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger } from '#config/logger.js';
import { HindsightError } from '#contract/errors.js';
import { openTracer } from './open-tracer.js';
import { otlpReceiver } from './test-support/otlp-receiver.js';

const client = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('sends spans with their parents, ids, and the code of an error but not its sentence', async () => {
  await using receiver = await otlpReceiver();
  const { tracer, close } = openTracer({ url: `${receiver.url}/`, service: 'spec', version: '1' });
  const failing = tracer.span('outer', { parent: client, kind: 'server', ids: { bank: 'b1' } }, (outer) =>
    tracer.span('inner', { parent: outer }, async (inner) => {
      tracer.past('before', { parent: inner }, { from: Date.now() - 50, to: Date.now() });
      throw new HindsightError('memory_not_found', 'There is no Quillfeather.');
    }),
  );
  await expect(failing).rejects.toThrow('Quillfeather');
  await close();
  const named = new Map(receiver.spans.map((span) => [span.name, span]));
  const [outer, inner, before] = ['outer', 'inner', 'before'].map((name) => named.get(name)!);
  expect(receiver.spans.map(({ traceId }) => traceId)).toEqual(Array(3).fill(client.split('-')[1]));
  expect(outer!.parentSpanId).toBe(client.split('-')[2]);
  expect(inner!.parentSpanId).toBe(outer!.spanId);
  expect(before!.parentSpanId).toBe(inner!.spanId);
  expect(outer!.status).toEqual({ code: 2, message: 'memory_not_found' });
  expect(outer!.attributes).toEqual([{ key: 'hindsight_ledger.bank', value: { stringValue: 'b1' } }]);
  expect(receiver.bodies.join()).not.toContain('Quillfeather');
});

it('begins a trace of its own where what came is no trace context, and sends nothing of one that is not sampled', async () => {
  await using receiver = await otlpReceiver();
  const { tracer, close } = openTracer({ url: receiver.url, service: 'spec', version: '1' });
  const own = await tracer.span('own', { parent: 'nonsense' }, async (traceparent) => traceparent);
  await tracer.span('unsampled', { parent: client.replace(/01$/, '00') }, async (traceparent) => {
    expect(traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
  });
  await close();
  expect(receiver.spans.map(({ name, traceId }) => [name, traceId])).toEqual([['own', own.split('-')[1]]]);
});

it('gives log lines the id of the trace that they are written in', async () => {
  await using receiver = await otlpReceiver();
  const { tracer, traceId, close } = openTracer({ url: receiver.url, service: 'spec', version: '1' });
  const lines: { msg: string; trace_id?: string }[] = [];
  const kept = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as { msg: string });
      done();
    },
  });
  const log = createLogger('info', kept, traceId);
  log.info({}, 'outside');
  await tracer.span('work', { parent: client }, async () => {
    await new Promise(setImmediate);
    log.info({}, 'inside');
  });
  log.info({}, 'after');
  await close();
  const trace = client.split('-')[1];
  expect(lines.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
    ['outside', undefined],
    ['inside', trace],
    ['after', undefined],
  ]);
});

it('tells the collector who it is, where the address says so', async () => {
  await using receiver = await otlpReceiver();
  const url = receiver.url.replace('//', '//ada:p%40ss@');
  const { tracer, close } = openTracer({ url, service: 'spec', version: '1' });
  await tracer.span('call', {}, async () => undefined);
  await close();
  expect(receiver.authorizations).toEqual([`Basic ${Buffer.from('ada:p@ss').toString('base64')}`]);
  expect(receiver.spans).toHaveLength(1);
});

it('costs nothing but the spans where no collector is there', async () => {
  const { tracer, close } = openTracer({ url: 'http://127.0.0.1:9', service: 'spec', version: '1', everyMs: 5 });
  for (let call = 0; call < 5_000; call++) expect(await tracer.span('call', {}, async () => call)).toBe(call);
  await close();
});
