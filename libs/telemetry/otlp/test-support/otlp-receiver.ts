import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes?: readonly { readonly key: string; readonly value: object }[];
}

/** An OpenTelemetry collector that takes OTLP over HTTP, as JSON, and keeps it. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Whatever was sent, as it came. */
  readonly bodies: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
}

export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    authorizations.push(request.headers.authorization);
    bodies.push(`${request.method} ${request.url}\n${body}`);
    if (request.url === '/v1/traces') {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
      };
      for (const each of resourceSpans) for (const scope of each.scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
