import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-ports.js';

export interface Delays {
  /** From the client to the server, ms. */
  readonly up?: number;
  /** From the server to the client, ms. */
  readonly down?: number;
}

/** A bad network between a client and a server of this machine. A server that does not run resets what comes through. */
export interface TcpProxy {
  readonly port: number;
  /** `127.0.0.1` and the port. */
  readonly address: string;
  /** A server's URL with the proxy's host and port in place of the server's own. */
  through(url: string): string;
  /** Holds back everything from now on, in order; a direction that is left out is not delayed. */
  delay(delays: Delays): void;
  /** Resets all connections; what was on the way is lost. New ones are accepted. */
  cut(): void;
  /** Resets all connections and refuses new ones. */
  refuse(): Promise<void>;
  /** Keeps connections open and accepts new ones, and passes nothing on. */
  blackHole(): void;
  /** Ends `refuse` and `blackHole`; what a black hole swallowed arrives, as it does by repetition on a real network. */
  pass(): Promise<void>;
  /** How many connections are open. */
  readonly connections: number;
  close(): Promise<void>;
}

/** @param target port of 127.0.0.1, or an address such as `127.0.0.1:9092` or `postgres://…` */
export async function startTcpProxy(target: number | string): Promise<TcpProxy> {
  const to = typeof target === 'number' ? { host: '127.0.0.1', port: target } : hostAndPort(target);
  const port = await freePort();
  const pairs = new Set<() => void>();
  const directions = new Set<Direction>();
  let delays: Delays = {};
  let swallows = false;
  let server: Server | undefined;

  function join(client: Socket): void {
    const upstream = connect({ ...to, allowHalfOpen: true });
    const sockets = [client, upstream];
    const up = direction(client, upstream, () => delays.up ?? 0);
    const down = direction(upstream, client, () => delays.down ?? 0);
    const end = () => {
      pairs.delete(end);
      for (const each of [up, down]) {
        directions.delete(each);
        each.forget();
      }
      for (const socket of sockets) if (!socket.destroyed) socket.resetAndDestroy();
    };
    pairs.add(end);
    for (const each of [up, down]) {
      directions.add(each);
      each.hold(swallows);
    }
    for (const socket of sockets) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => client.destroyed && upstream.destroyed && end());
    }
  }

  async function listen(): Promise<void> {
    if (server) return;
    server = createServer({ allowHalfOpen: true }, join);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  const cut = () => {
    for (const end of [...pairs]) end();
  };

  async function refuse(): Promise<void> {
    const listening = server;
    server = undefined;
    if (!listening) return;
    const closed = once(listening, 'close');
    listening.close();
    cut();
    await closed;
  }

  function swallow(whether: boolean): void {
    swallows = whether;
    for (const each of directions) each.hold(whether);
  }

  await listen();
  return {
    port,
    address: `127.0.0.1:${port}`,
    through(url) {
      const proxied = new URL(url);
      proxied.hostname = '127.0.0.1';
      proxied.port = `${port}`;
      return proxied.href;
    },
    delay(next) {
      delays = next;
    },
    cut,
    refuse,
    blackHole: () => swallow(true),
    async pass() {
      swallow(false);
      await listen();
    },
    get connections() {
      return pairs.size;
    },
    close: refuse,
  };
}

interface Direction {
  hold(whether: boolean): void;
  forget(): void;
}

const onTheWay = 4 << 20; // bytes that a direction holds before its sender must wait

/** Passes on what comes from one socket to the other, each piece after the delay and never before an earlier one. */
function direction(from: Socket, to: Socket, delay: () => number): Direction {
  const queue: { readonly due: number; readonly piece: Buffer | 'end' }[] = [];
  let bytes = 0;
  let swallowed = false;
  let timer: NodeJS.Timeout | undefined;

  function enter(piece: Buffer | 'end'): void {
    queue.push({ due: Math.max(Date.now() + delay(), queue.at(-1)?.due ?? 0), piece });
    if (piece !== 'end') bytes += piece.length;
    if (bytes > onTheWay) from.pause();
    leave();
  }

  function leave(): void {
    clearTimeout(timer);
    for (let next = queue[0]; next && !swallowed && !to.writableNeedDrain; next = queue[0]) {
      const early = next.due - Date.now();
      if (early > 0) {
        timer = setTimeout(leave, early);
        break;
      }
      queue.shift();
      if (next.piece === 'end') to.end();
      else {
        bytes -= next.piece.length;
        to.write(next.piece);
      }
    }
    if (bytes <= onTheWay) from.resume();
  }

  from.on('data', enter);
  from.on('end', () => enter('end'));
  to.on('drain', leave);
  return {
    hold(whether) {
      swallowed = whether;
      leave();
    },
    forget() {
      clearTimeout(timer);
      queue.length = 0;
    },
  };
}

function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const url = new URL(address.includes('://') ? address : `tcp://${address}`);
  return { host: url.hostname, port: Number(url.port) };
}
