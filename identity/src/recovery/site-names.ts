import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { findMailFrame } from '../sign-in/account-mail.ts';
import { listSitesOf } from '../sites/site-memberships-store.ts';
import { requestMail } from './request-mail.ts';
import type { RequestedMail } from './request-mail.ts';
import { writeSiteNames } from './mails/mails.ts';
import type { RecoveryServices } from './recovery-services.ts';

/** Handles the request for a mail with the user's site names. */
export function createSendSiteNames(services: RecoveryServices) {
  const linkTo = (site: string, client: string): string =>
    pageAddress(services.config.publicUrl, 'openSite', { site, client });
  const write: RequestedMail['write'] = async (transaction, { user, language, client }) => {
    const sites = await listSitesOf(transaction, user.id);
    const frame = await findMailFrame(services, transaction, { userId: user.id, language, client });
    const linked = sites.map((site) => ({ ...site, link: client && linkTo(site.name, client.id) }));
    const content = writeSiteNames(user, { sites: linked, signInUrl: client?.homeUri }, frame);
    return { content, details: { sites: String(sites.length) } };
  };
  return async ({ body }: RecoveryCallInput<'sendSiteNames'>, exchange: Exchange): Promise<undefined> => {
    await requestMail(
      services,
      { event: 'recovery.site-names', name: body.email, referer: body, write },
      exchange,
    );
  };
}
