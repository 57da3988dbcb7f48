import type { Locale } from '@anteroom/contract';
import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/note-refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import { findPersonByName } from '../people/people-store.ts';
import { writeSiteNames } from './letters/letters.ts';
import { listSitesOf } from './own-sites.ts';
import { mayBeSentMessage, requireAllowance, whyNothingIsSent } from './message-limits.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './way-back.ts';

type Body = RecoveryCallInput<'sendSiteNames'>['body'];

/** Somebody has forgotten the name of their site. As with the password, the answer comes before anybody is looked up. */
export function createSendSiteNames(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'sendSiteNames'>, exchange: Exchange): Promise<undefined> => {
    const language = languageOf(exchange.raw.request.headers);
    await noteRefusal(services.audit, { event: 'recovery.site-names' }, exchange, async () => {
      await requireAllowance(services, exchange.address);
      services.errands.add(() => sendSiteNames(services, body, language, exchange));
    });
  };
}

async function sendSiteNames(
  services: RecoveryServices,
  body: Body,
  language: Locale,
  exchange: Pick<Exchange, 'correlationId' | 'address' | 'log'>,
): Promise<void> {
  const { audit } = services;
  const person = await findPersonByName(services.database, body.email);
  const mayBeSent = await mayBeSentMessage(services, person?.id ?? signInNameKey(body.email));
  if (person?.status !== 'active' || person.email === undefined || !mayBeSent) {
    const details = person === undefined ? { nameHash: audit.nameHash(body.email) } : {};
    const reason = whyNothingIsSent(person, mayBeSent);
    audit.note(
      { event: 'recovery.site-names', result: 'failure', reason, personId: person?.id, details },
      exchange,
    );
    return;
  }
  const sites = await listSitesOf(services.database, person.id);
  const client = await findRefererClient(services.database, body);
  const letter = writeSiteNames(language, person, { sites, signInUrl: client?.homeUri });
  services.mail.sendLater({ to: person.email, ...letter }, exchange.log);
  const details = { sites: String(sites.length) };
  audit.note({ event: 'recovery.site-names', result: 'success', personId: person.id, details }, exchange);
}
