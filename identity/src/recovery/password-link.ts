import type { Locale } from '@anteroom/contract';
import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/note-refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import { findPersonByName } from '../people/people-store.ts';
import { writePasswordLink, writeSignsInElsewhere } from './letters/letters.ts';
import { linkValidityMinutes } from './figures.ts';
import { mayBeSentMessage, requireAllowance, whyNothingIsSent } from './message-limits.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './way-back.ts';

type Body = RecoveryCallInput<'sendPasswordLink'>['body'];

/**
 * Somebody has forgotten their password. The answer is given before anybody is looked up: it is the same for everybody, and
 * so is the work behind it (attacks and faults, S26).
 */
export function createSendPasswordLink(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'sendPasswordLink'>, exchange: Exchange): Promise<undefined> => {
    const language = languageOf(exchange.raw.request.headers);
    await noteRefusal(services.audit, { event: 'recovery.password-link' }, exchange, async () => {
      await requireAllowance(services, exchange.address);
      services.errands.add(() => sendPasswordLink(services, body, language, exchange));
    });
  };
}

async function sendPasswordLink(
  services: RecoveryServices,
  body: Body,
  language: Locale,
  exchange: Pick<Exchange, 'correlationId' | 'address' | 'log'>,
): Promise<void> {
  const { audit } = services;
  const person = await findPersonByName(services.database, body.userName);
  const mayBeSent = await mayBeSentMessage(services, person?.id ?? signInNameKey(body.userName));
  if (person?.status !== 'active' || person.email === undefined || !mayBeSent) {
    const details = person === undefined ? { nameHash: audit.nameHash(body.userName) } : {};
    const reason = whyNothingIsSent(person, mayBeSent);
    audit.note(
      { event: 'recovery.password-link', result: 'failure', reason, personId: person?.id, details },
      exchange,
    );
    return;
  }
  const token = await services.links.issue(person.id);
  const letter =
    token === undefined
      ? writeSignsInElsewhere(language, person)
      : writePasswordLink(language, person, {
          link: await linkOf(services, token, body, language),
          minutes: linkValidityMinutes,
        });
  services.mail.sendLater({ to: person.email, ...letter }, exchange.log);
  const details = { letter: token === undefined ? 'signs in elsewhere' : 'link' };
  audit.note({ event: 'recovery.password-link', result: 'success', personId: person.id, details }, exchange);
}

/**
 * The address in the message. The token is its fragment, which browsers send to nobody: no log, no Referer and no scanner on
 * the way has it, and a visit does not use it up (attacks and faults, S43).
 */
async function linkOf(
  { config, database }: RecoveryServices,
  token: string,
  body: Body,
  language: Locale,
): Promise<string> {
  const client = await findRefererClient(database, body);
  const page = pageAddress(config.publicUrl, 'newPassword', {
    culture: language,
    refererClientId: client?.id,
  });
  return `${page}#${token}`;
}
