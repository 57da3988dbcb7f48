import { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../lib/log.ts';
import { countedRanges } from '../lib/visitor-address.ts';
import { refuseOnSocket } from './error-handler.ts';

/** The time for a body to arrive after its headers. Bodies are small, and usually arrive together with the headers. */
const bodySeconds = 5;
/**
 * The maximum number of requests of one visitor address (IPv6: of its /64) whose body is incomplete. A usual body is
 * incomplete for less than a round trip, so this is enough for thousands of visitors who share an address.
 */
const openBodiesOfAddress = 50;
/** The maximum for a node. Together with `bodySeconds`, it bounds the memory that incomplete bodies take. */
const openBodiesOfNode = 500;

type OpenBody = { refuse: (reason: string) => void };

/** Limits requests whose body has not arrived completely, so that slow clients hold nothing but their own connection. */
export type OpenBodies = {
  /** Call it for each request before its body is read. */
  watch: (request: FastifyRequest, reply: FastifyReply) => void;
};

/**
 * At a limit, the oldest incomplete request gets the refusal and not the newest one. So slow clients replace each other,
 * and a visitor behind the same address is served, because the visitor's body is complete after a moment.
 */
export function createOpenBodies(bodyMs = bodySeconds * 1000): OpenBodies {
  // Sets preserve the order of insertion, so the first element is the oldest.
  const all = new Set<OpenBody>();
  const ofAddresses = new Map<string, Set<OpenBody>>();

  return {
    watch(request, reply) {
      const { raw, visitorAddress } = request;
      // A request of `inject` is complete and has no connection.
      if (!(raw instanceof IncomingMessage) || !hasBody(raw)) return;
      const address = countedRanges(visitorAddress)[0]?.range ?? visitorAddress;
      const ofAddress = ofAddresses.get(address) ?? new Set();
      ofAddresses.set(address, ofAddress);

      const open: OpenBody = {
        refuse(reason) {
          forget();
          if (raw.complete) return;
          const log: Log = request.log;
          log.info({ code: 'request_timeout', reason }, 'a request body did not arrive completely');
          if (reply.raw.headersSent) raw.socket.destroy();
          else refuseOnSocket(raw.socket, 'request_timeout', reply.raw.getHeaders());
        },
      };
      const timer = setTimeout(() => open.refuse('too slow'), bodyMs);
      timer.unref();
      function forget(): void {
        clearTimeout(timer);
        all.delete(open);
        ofAddress.delete(open);
        if (ofAddress.size === 0 && ofAddresses.get(address) === ofAddress) ofAddresses.delete(address);
      }
      raw.once('end', forget);
      raw.once('close', forget);

      all.add(open);
      ofAddress.add(open);
      if (ofAddress.size > openBodiesOfAddress) refuseOldest(ofAddress, 'too many from this address');
      if (all.size > openBodiesOfNode) refuseOldest(all, 'too many');
    },
  };
}

function refuseOldest(open: ReadonlySet<OpenBody>, reason: string): void {
  const [oldest] = open;
  oldest?.refuse(reason);
}

/** RFC 9112, 6.3 */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}
