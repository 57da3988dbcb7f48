import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether a port of the loopback interface is free. */
export async function isPortFree(port: number, host = 'localhost'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Finds a free port below the range of outgoing connections (Linux: from 32768). A connection could take a port of that
 * range before its server listens, or while the server restarts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isPortFree(port)) return port;
  }
}
