import * as v from 'valibot';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { endSessions } from '../openid/end-sessions.ts';
import type { EndedSession } from '../openid/end-sessions.ts';
import { endLinks } from '../regions/links-store.ts';
import type { Regions } from '../regions/regions.ts';
import { HandOverRefused, wordTypes } from '../regions/signed-words.ts';
import { noteEnds, noteUse } from '../regions/used-words-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { SignInServices } from './sign-in-services.ts';

const noticeClaims = v.object({ links: v.pipe(v.array(v.string()), v.maxLength(50)) });

/**
 * Another region says that sessions have ended: what was handed over from them, or to them, ends here as well, with everything that
 * applications hold through it. Only hand-overs between the two of us are looked for. @throws `forbidden`
 */
export function createTakeNotice(services: SignInServices & { regions: Regions }) {
  const { database, clock, audit, keys, regions, openid } = services;
  return async (word: string, exchange: Exchange): Promise<void> => {
    try {
      const heard = await regions.words.hear(wordTypes.notice, word);
      const claims = v.safeParse(noticeClaims, heard.claims);
      if (!claims.success) throw new HandOverRefused('the word does not say what it must');
      const ended = await database.transaction().execute(async (transaction) => {
        const needed = { clock, keyRing: keys.oneTimeSecrets };
        if (!(await noteUse(transaction, needed, heard)))
          throw new HandOverRefused('the word was used before');
        // whoever signs out over there while they are handed over is not let in here afterwards
        await noteEnds(transaction, needed, heard.region, new Set(claims.output.links));
        return await endLinkedSessions(transaction, heard.region, claims.output.links, clock.now());
      });
      openid.tellApplications();
      for (const { personId, idHash: sessionHash } of ended)
        audit.note(
          {
            event: 'session.end',
            result: 'success',
            reason: 'ended in another region',
            personId,
            sessionHash,
            details: { region: heard.region },
          },
          exchange,
        );
    } catch (error) {
      if (!(error instanceof HandOverRefused)) throw error;
      exchange.log.info({ reason: error.message }, 'a notice of another region was refused');
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
  for (const { personId, browserId } of await endLinks(transaction, region, links, now))
    ended.push(...(await endSessions(transaction, { personId, browserId }, now)));
  return ended;
}
