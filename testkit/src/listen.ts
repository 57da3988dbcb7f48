import type { Server } from 'node:http';

export interface Listening {
  /** `http://localhost:<port>`, without a trailing slash. */
  url: string;
  close: () => Promise<void>;
}

/** Starts a server on this machine, on a free port by default. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: 'localhost', port }, resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return {
    url: `http://localhost:${address.port}`,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Browsers keep idle connections open, which would delay the end.
        server.closeAllConnections();
      }),
  };
}
