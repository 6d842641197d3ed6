import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { HindsightError } from '#contract/errors.js';
import { hostCheck, type Middleware } from './host-check.js';
import { httpModule } from './http.module.js';
import { defaultLimits, type HttpDeps } from './http-deps.js';
import { createMcpSessions } from './mcp-sessions.js';
import { nestLog } from './nest-log.js';
import { Refusal } from './refusal.js';
import { refuse } from './refuse.js';

export interface HttpApp {
  /** Port 0 takes a free one. The host is 127.0.0.1 unless given. @throws HindsightError unreachable */
  listen(port: number, host?: string): Promise<{ readonly port: number; readonly host: string; readonly url: string }>;
  /** Takes no more connections, answers what is in flight (bounded by `stopWithinMs`), ends the sessions. */
  close(): Promise<void>;
}

/** Milliseconds between looks for sessions that nobody uses. */
const sweepEveryMs = 30_000;

/** MCP over HTTP for many clients: Streamable HTTP, the older SSE, and health. */
export async function createHttpApp(deps: HttpDeps): Promise<HttpApp> {
  const limits = { ...defaultLimits, ...deps.limits };
  const sessions = createMcpSessions(deps, limits);
  const { allowedHosts = [], allowedOrigins = [] } = deps;
  const app = await NestFactory.create(httpModule(deps, limits, sessions), new ExpressAdapter(), {
    bodyParser: false,
    logger: nestLog(deps.log),
    abortOnError: false,
  });
  let stopping: Promise<void> | undefined;
  app.getHttpAdapter().getInstance().disable('x-powered-by');
  const refuseWhenStopping: Middleware = (request, response, next) => {
    if (stopping && request.url !== '/health/live') refuse(response, stops());
    else next();
  };
  app.use(refuseWhenStopping);
  app.use(hostCheck({ allowedHosts, allowedOrigins }));
  await app.init();
  const server: Server = app.getHttpServer();
  const sweeping = setInterval(sessions.sweep, Math.min(sweepEveryMs, limits.sessionIdleMs / 2)).unref();

  const stop = async () => {
    clearInterval(sweeping);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    if (!(await sessions.inFlight.settled(limits.stopWithinMs)))
      deps.log.warn({ waitedMs: limits.stopWithinMs }, 'calls in flight did not finish in time');
    await sessions.closeAll();
    server.closeAllConnections();
    if (server.listening) await closed;
    await app.close();
  };
  return {
    listen: (port, host = '127.0.0.1') => listen(server, port, host),
    close: () => (stopping ??= stop()),
  };
}

async function listen(server: Server, port: number, host: string) {
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => reject(cannotListen(port, host, cause));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
  const taken = (server.address() as AddressInfo).port;
  const named = host.includes(':') ? `[${host}]` : host;
  return { port: taken, host, url: `http://${named}:${taken}` };
}

function cannotListen(port: number, host: string, cause: NodeJS.ErrnoException): HindsightError {
  const why: Record<string, string> = {
    EADDRINUSE: 'another program listens there',
    EACCES: 'this user may not use that port',
    EADDRNOTAVAIL: 'this machine has no such address',
  };
  const sentence = `Cannot listen on ${host} port ${port}: ${why[cause.code ?? ''] ?? cause.code}.`;
  return new HindsightError('unreachable', sentence, { host, port }, { cause });
}

function stops(): Refusal {
  return new Refusal(503, 'unreachable', 'This server is stopping.', {
    hint: 'Connect again in a moment.',
    headers: { Connection: 'close', 'Retry-After': '1' },
  });
}
