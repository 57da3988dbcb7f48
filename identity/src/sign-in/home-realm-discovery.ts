import {
  findConnection,
  findConnectionOfDomain,
  findConnectionOfSite,
  findDomain,
} from '../enterprise/connections-store.ts';
import type { Connection } from '../enterprise/connection.ts';
import type { Services } from '../services.ts';
import type { FoundSession } from '../sessions/session.ts';
import type { Site } from '../sites/sites-store.ts';

/**
 * The connection for a sign-in: that of the site if the site has no passwords; otherwise the one through which this
 * browser entered the site; otherwise the one of the e-mail domain. Only the configuration and the session of this
 * browser decide. No user is looked up, so the result does not reveal who exists (attacks and faults, S28).
 */
export async function findConnectionFor(
  { database, keys }: Pick<Services, 'database' | 'keys'>,
  site: Site | undefined,
  usernameOrEmail: string | undefined,
  found: FoundSession,
): Promise<Connection | undefined> {
  if (site?.connectionId !== undefined && !site.allowPasswordEntry)
    return await findConnectionOfSite(database, keys, site.id);
  const own = site && findEntryConnectionId(site, found);
  if (own !== undefined) return await findConnection(database, keys, own);
  const domain = usernameOrEmail === undefined ? undefined : findDomain(usernameOrEmail);
  if (domain !== undefined) return await findConnectionOfDomain(database, keys, domain);
  // Without a user name, the site's own connection decides.
  return site?.connectionId === undefined || usernameOrEmail !== undefined
    ? undefined
    : await findConnectionOfSite(database, keys, site.id);
}

/** The connection through which this browser's session entered the site. */
export function findEntryConnectionId(site: Pick<Site, 'name'>, found: FoundSession): string | undefined {
  const isInside = found.state === 'valid' && found.session.authSite === site.name;
  return isInside && found.session.externallyAuthenticated ? found.session.connectionId : undefined;
}

/** Whether the page asks for name and password together. If a provider may apply, it asks for the name first, because its domain decides. */
export function isPasswordAskedFirst(site: Site, found: FoundSession): boolean {
  return (
    site.allowPasswordEntry &&
    site.connectionId === undefined &&
    findEntryConnectionId(site, found) === undefined
  );
}
