import { siteNameMaximumLength } from '@anteroom/contract';
import type { FastifyInstance } from 'fastify';
import type { CreateExchange } from '../http/create-exchange.ts';
import { pageAddress, paths } from '../http/page-addresses.ts';
import { findClient } from '../openid/clients-store.ts';
import { findLoginAddress } from '../openid/initiate-login.ts';
import type { Services } from '../services.ts';
import { createPageCookies } from './page-cookies.ts';

/**
 * The link to one site in a mail: stores the site in the page's cookie and redirects to the application, whose sign-in
 * then starts at that site. The site is not looked up, so the response is the same for every name.
 */
export function registerOpenSite(
  app: FastifyInstance,
  { config, database }: Pick<Services, 'config' | 'database'>,
  createExchange: CreateExchange,
): void {
  const cookies = createPageCookies(config.publicUrl);
  app.get<{ Querystring: { site?: unknown; client?: unknown } }>(paths.openSite, async (request, reply) => {
    const { site, client: id } = request.query;
    const client = typeof id === 'string' ? await findClient(database, id) : undefined;
    const location = client && findLoginAddress(client, config.publicUrl);
    if (typeof site !== 'string' || site === '' || site.length > siteNameMaximumLength || !location)
      return await reply.redirect(pageAddress(config.publicUrl, 'error'), 303);
    cookies.writeSite(createExchange(request, reply), site);
    return await reply.redirect(location, 303);
  });
}
