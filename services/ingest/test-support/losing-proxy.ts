import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface LosingProxy {
  /** How many of the next answers are lost, and whether calls are taken without being passed on. */
  readonly state: { losing: number; swallowing: boolean };
  readonly port: number;
  close(): void;
}

/** Passes calls on, and loses answers while told to: the connection is cut in their place. */
export async function startLosingProxy(target: number): Promise<LosingProxy> {
  const state = { losing: 0, swallowing: false };
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
    }
    if (state.swallowing) client.resume();
    else client.pipe(upstream);
    upstream.on('data', (bytes) => {
      if (state.losing === 0) return void client.write(bytes);
      state.losing--;
      client.destroy();
      upstream.destroy();
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    state,
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
