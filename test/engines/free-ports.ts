import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports of 127.0.0.1 on which nobody listens, below those that the system gives to outgoing connections: a client that
 * tries a stopped engine's port again and again may otherwise be given that very port, and connect to itself.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
