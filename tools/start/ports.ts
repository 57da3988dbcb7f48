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
 * Finds a free port below those that the system gives to outgoing connections (Linux: from 32768). One of those could
 * be taken before its server listens, or while it restarts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isPortFree(port)) return port;
  }
}
