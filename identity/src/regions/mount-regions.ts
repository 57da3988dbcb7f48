import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { CreateExchange } from '../http/create-exchange.ts';
import { registerRegions } from './routes.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import type { EndedSession } from '../sign-out/end-sessions.ts';
import { endLinks } from './links-store.ts';
import type { Regions } from './regions.ts';
import { HandOverRefused, tokenTypes } from './signed-tokens.ts';
import { recordEnds, requireFirstUse } from './used-tokens-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { createHandOver } from './hand-over.ts';
import { createArrive, createEnter, createTakeRequest } from './region-entry.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/** Registers the routes between regions, if there are several regions. */
export async function mountRegions(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): Promise<void> {
  const { regions } = services;
  if (regions === undefined) return;
  const needed = { ...services, regions };
  const handlers = {
    takeRequest: createTakeRequest(needed),
    takeNotice: createTakeNotice(needed),
    arrive: createArrive(needed),
    handOver: createHandOver(needed),
    enter: createEnter(needed),
  };
  await registerRegions(app, regions, handlers, createExchange);
}

const noticeClaims = v.object({ links: v.pipe(v.array(v.string()), v.maxLength(50)) });

/**
 * Handles another region's report of ended sessions: ends the sessions here that are linked to them by a hand-over
 * between these two regions, with their grants.
 * @throws `forbidden`
 */
function createTakeNotice(services: SignInServices & { regions: Regions }) {
  const { database, clock, audit, keys, regions, provider } = services;
  return async (token: string, exchange: Exchange): Promise<void> => {
    try {
      const verified = await regions.tokens.verify(tokenTypes.notice, token);
      const claims = v.safeParse(noticeClaims, verified.claims);
      if (!claims.success) throw new HandOverRefused('the claims of the token are invalid');
      const ended = await database.transaction().execute(async (transaction) => {
        const needed = { database: transaction, clock, keys };
        await requireFirstUse(needed, verified);
        // A hand-over that is still in progress must not begin a session after the user has signed out there.
        await recordEnds(needed, verified.region, new Set(claims.output.links));
        return await endLinkedSessions(transaction, verified.region, claims.output.links, clock.now());
      });
      provider.notifyApplications();
      for (const { userId, idHash: sessionHash } of ended)
        audit.note(
          {
            event: 'session.end',
            result: 'success',
            reason: 'ended in another region',
            userId,
            sessionHash,
            details: { region: verified.region },
          },
          exchange,
        );
    } catch (error) {
      if (!(error instanceof HandOverRefused)) throw error;
      exchange.log.info({ reason: error.message }, 'refused a notice of another region');
      throw new ContractError('forbidden', { detail: error.message });
    }
  };
}

async function endLinkedSessions(
  transaction: DatabaseTransaction,
  region: string,
  links: readonly string[],
  now: Date,
): Promise<EndedSession[]> {
  const ended: EndedSession[] = [];
  for (const { userId, browserId } of await endLinks(transaction, region, links, now))
    ended.push(...(await endSessions(transaction, { userId, browserId }, now)));
  return ended;
}
