import type { Locale } from '@anteroom/contract';
import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { askForLetter } from './ask-for-letter.ts';
import { linkValidityMinutes } from './figures.ts';
import { writePasswordLink, writeSignsInElsewhere } from './letters/letters.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { findRefererClient } from './way-back.ts';

type Body = RecoveryCallInput<'sendPasswordLink'>['body'];

/** Somebody has forgotten their password. */
export function createSendPasswordLink(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'sendPasswordLink'>, exchange: Exchange): Promise<undefined> => {
    await askForLetter(
      services,
      {
        event: 'recovery.password-link',
        name: body.userName,
        async write(person, language) {
          const token = await services.links.issue(person.id);
          if (token === undefined)
            return {
              letter: writeSignsInElsewhere(language, person),
              details: { letter: 'signs in elsewhere' },
            };
          const link = await linkOf(services, token, body, language);
          const letter = writePasswordLink(language, person, { link, minutes: linkValidityMinutes });
          return { letter, details: { letter: 'link' } };
        },
      },
      exchange,
    );
  };
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
