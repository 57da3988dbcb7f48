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
 * Over which connection somebody signs in: at a site that has no passwords over the site's; elsewhere over the one that let them in
 * there, else over the one that the domain of their address is given to. Only what operators have set up decides it, and what this
 * browser is signed in with; people are not looked up (attacks and faults, S28).
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
  // nobody was named: whoever is led to the provider of a site goes there
  return site?.connectionId === undefined || usernameOrEmail !== undefined
    ? undefined
    : await findConnectionOfSite(database, keys, site.id);
}

/** The connection whose provider let this browser into the site. */
export function findEntryConnectionId(site: Pick<Site, 'name'>, found: FoundSession): string | undefined {
  const isInside = found.state === 'valid' && found.session.authSite === site.name;
  return isInside && found.session.externallyAuthenticated ? found.session.connectionId : undefined;
}

/** Whether name and password are asked for together. Where a provider may come into it, the name is asked for first: its domain decides. */
export function isPasswordAskedFirst(site: Site, found: FoundSession): boolean {
  return (
    site.allowPasswordEntry &&
    site.connectionId === undefined &&
    findEntryConnectionId(site, found) === undefined
  );
}
