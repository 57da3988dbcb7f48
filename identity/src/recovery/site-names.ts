import type { Locale } from '@anteroom/contract';
import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Logger } from 'pino';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import { findPersonByName } from '../people/people-store.ts';
import { writeSiteNames } from './letters/letters.ts';
import { listSitesOf } from './own-sites.ts';
import { mayBeSentMessage, requireAllowance } from './message-limits.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './way-back.ts';

type Body = RecoveryCallInput<'sendSiteNames'>['body'];

/** Somebody has forgotten the name of their site. As with the password, the answer comes before anybody is looked up. */
export function createSendSiteNames(services: RecoveryServices) {
  return async (
    { body }: RecoveryCallInput<'sendSiteNames'>,
    { address, raw, log }: Exchange,
  ): Promise<undefined> => {
    await requireAllowance(services, address);
    const language = languageOf(raw.request.headers);
    services.errands.add(() => sendSiteNames(services, body, language, log));
  };
}

async function sendSiteNames(
  services: RecoveryServices,
  body: Body,
  language: Locale,
  log: Logger,
): Promise<void> {
  const person = await findPersonByName(services.database, body.email);
  const mayBeSent = await mayBeSentMessage(services, person?.id ?? signInNameKey(body.email));
  if (person?.status !== 'active' || person.email === undefined || !mayBeSent) {
    log.info({ personId: person?.id, mayBeSent }, 'no names of sites are sent');
    return;
  }
  const sites = await listSitesOf(services.database, person.id);
  const client = await findRefererClient(services.database, body);
  const letter = writeSiteNames(language, person, { sites, signInUrl: client?.homeUri });
  services.mail.sendLater({ to: person.email, ...letter }, log);
  log.info({ personId: person.id, count: sites.length }, 'the names of a person’s sites are sent');
}
