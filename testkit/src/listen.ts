import type { Server } from 'node:http';

export interface Listening {
  /** `http://localhost:<port>`, without a slash behind it. */
  url: string;
  close: () => Promise<void>;
}

/** Opens a server on a free port of this machine. */
export async function listen(server: Server): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: 'localhost', port: 0 }, resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return {
    url: `http://localhost:${address.port}`,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // a browser keeps its connections open for the next request
        server.closeAllConnections();
      }),
  };
}
