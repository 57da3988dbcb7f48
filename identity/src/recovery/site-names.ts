import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Exchange } from '../http/exchange.ts';
import { askForLetter } from './ask-for-letter.ts';
import { writeSiteNames } from './letters/letters.ts';
import { listSitesOf } from './own-sites.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './way-back.ts';

/** Somebody has forgotten the name of their site. */
export function createSendSiteNames(services: RecoveryServices) {
  const { database } = services;
  return async ({ body }: RecoveryCallInput<'sendSiteNames'>, exchange: Exchange): Promise<undefined> => {
    await askForLetter(
      services,
      {
        event: 'recovery.site-names',
        name: body.email,
        async write(person, language) {
          const sites = await listSitesOf(database, person.id);
          const client = await findRefererClient(database, body);
          const letter = writeSiteNames(language, person, { sites, signInUrl: client?.homeUri });
          return { letter, details: { sites: String(sites.length) } };
        },
      },
      exchange,
    );
  };
}
