import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closes connections without a single byte when the server closes. Browsers open them ahead of need; Node counts them
 * as active and no longer limits their time once it closes, so each would hold the process until it is killed.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', (done) => {
    for (const socket of connections) {
      if (socket.bytesRead === 0) socket.destroy();
    }
    done();
  });
}
