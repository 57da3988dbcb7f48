import { siteNameMaximumLength } from '@anteroom/contract';
import type { FastifyInstance } from 'fastify';
import type { SamlConnection } from './connection.ts';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../provider/clients-store.ts';
import { findLoginAddress } from '../provider/initiate-login.ts';
import type { Services } from '../services.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import { pageAddress, paths } from '../http/page-addresses.ts';
import { createPageCookies } from '../http/cookies.ts';

type Needed = Pick<Services, 'audit' | 'config' | 'database'>;

/**
 * Answers an unsolicited SAML response with a redirect to the application, which then begins its own sign-in at the
 * connection's site. The response itself is ignored, so a forged response has only the effect of a link to the
 * application (docs/decisions/043-sign-ins-that-a-provider-begins.md). Returns undefined if no application is
 * configured for this.
 */
export async function beginAtApplication(
  { audit, config, database }: Needed,
  connection: SamlConnection,
  exchange: Exchange,
): Promise<string | undefined> {
  const location = await findStartAddress({ config, database }, connection);
  if (location === undefined) return undefined;
  const sites = await database
    .selectFrom('sites')
    .select('name')
    .where('connection_id', '=', connection.id)
    .where('disabled_at', 'is', null)
    .limit(2)
    .execute();
  const [site, ...more] = sites;
  if (site !== undefined && more.length === 0)
    createPageCookies(config.publicUrl).writeSite(exchange, site.name);
  const details = { begunBy: 'provider' };
  audit.note({ event: 'external.begin', result: 'success', connection: connection.name, details }, exchange);
  return location;
}

/** The login address of the connection's start client, or of the only client. */
async function findStartAddress(
  { config, database }: Pick<Needed, 'config' | 'database'>,
  { settings }: SamlConnection,
): Promise<string | undefined> {
  const ids =
    settings.startClient === undefined
      ? (await database.selectFrom('clients').select('id').execute()).map(({ id }) => id)
      : [settings.startClient];
  const clients = await Promise.all(ids.map((id) => findClient(database, id)));
  const starts = clients.flatMap((client) => (client && findLoginAddress(client, config.publicUrl)) ?? []);
  return starts.length === 1 ? starts[0] : undefined;
}

/**
 * The route of the links to sites in mails: stores the site in the front end's cookie and redirects to the application,
 * whose sign-in then starts at that site. The site is not looked up, so the response does not reveal whether it exists.
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
