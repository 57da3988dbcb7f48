import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { hasControlCharacter } from '../lib/control-characters.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { ConnectionsTable } from '../store/company-tables.ts';
import type { Database } from '../store/schema.ts';
import { openidSettings, samlSettings } from './connection.ts';
import type { Connection } from './connection.ts';
import { parseDecryptionKeys } from './saml/decryption-keys.ts';

type SecretKeys = Pick<Keys, 'clientSecrets'>;

/** The connection of that id, unless it is disabled. */
export async function findConnection(
  database: Database,
  keys: SecretKeys,
  id: string,
): Promise<Connection | undefined> {
  const row = await selectConnections(database).where('connections.id', '=', id).executeTakeFirst();
  return row && toConnection(row, keys);
}

/** The connection that operators call so. */
export async function findConnectionByName(
  database: Database,
  keys: SecretKeys,
  name: string,
): Promise<Connection | undefined> {
  // The name comes from the path of a request.
  if (hasControlCharacter(name)) return undefined;
  const row = await selectConnections(database).where('connections.name', '=', name).executeTakeFirst();
  return row && toConnection(row, keys);
}

/** How people of a site sign in elsewhere; undefined where they do not, or the connection is disabled. */
export async function findConnectionOfSite(
  database: Database,
  keys: SecretKeys,
  siteId: string,
): Promise<Connection | undefined> {
  const row = await selectConnections(database)
    .innerJoin('sites', 'sites.connection_id', 'connections.id')
    .where('sites.id', '=', siteId)
    .executeTakeFirst();
  return row && toConnection(row, keys);
}

/** The connection that an e-mail domain is given to. */
export async function findConnectionOfDomain(
  database: Database,
  keys: SecretKeys,
  domain: string,
): Promise<Connection | undefined> {
  const row = await selectConnections(database)
    .innerJoin('connection_domains', 'connection_domains.connection_id', 'connections.id')
    .where('connection_domains.domain', '=', domainKey(domain))
    .executeTakeFirst();
  return row && toConnection(row, keys);
}

/** The SAML connection to the provider of that entity id; undefined for none, and for several, which the issuer does not tell apart. */
export async function findConnectionOfIssuer(
  database: Database,
  keys: SecretKeys,
  issuer: string,
): Promise<Connection | undefined> {
  if (hasControlCharacter(issuer)) return undefined;
  const rows = await selectConnections(database)
    .where('connections.kind', '=', 'saml')
    .where(sql`connections.settings ->> 'issuer'`, '=', issuer)
    .limit(2)
    .execute();
  const [row, ...more] = rows;
  return row && more.length === 0 ? toConnection(row, keys) : undefined;
}

/**
 * The domain of an e-mail address as it is compared; undefined for what is none. What looks like an `@` counts as one, and what has control
 * characters is no address: some of them no database keeps.
 */
export function findDomain(email: string): string | undefined {
  if (hasControlCharacter(email)) return undefined;
  const [name, domain, ...more] = domainKey(email).split('@');
  return more.length > 0 || !name || !domain ? undefined : domain;
}

/** How domains are compared and kept. */
export function domainKey(domain: string): string {
  return domain.normalize('NFKC').trim().toLowerCase();
}

/** A connection's secret as the table stores it, bound to this connection: a client secret (OpenID), or decryption keys (SAML). */
export function sealSecret(keys: SecretKeys, random: Random, connectionId: string, secret: string): string {
  return seal(keys.clientSecrets, secret, contextOf(connectionId), random);
}

/** What a sealed secret belongs to. */
export const contextOf = (connectionId: string): string => `connection ${connectionId}`;

function selectConnections(database: Database) {
  return (
    database
      .selectFrom('connections')
      .selectAll('connections')
      // its domains come along: they say whom the provider may vouch for
      .select((select) =>
        select
          .selectFrom('connection_domains as owned')
          .select((owned) => owned.fn.agg<string[]>('array_agg', ['owned.domain']).as('domains'))
          .whereRef('owned.connection_id', '=', 'connections.id')
          .as('email_domains'),
      )
      .where('connections.disabled_at', 'is', null)
  );
}

type Row = Selectable<ConnectionsTable> & { email_domains: string[] | null };

/** @throws when the settings in the table are not those of its kind, or the secret was sealed with a key that is gone. */
function toConnection(row: Row, keys: SecretKeys): Connection {
  const common = {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    provisioning: row.provisioning,
    emailDomains: row.email_domains ?? [],
  };
  if (row.kind === 'saml') {
    return {
      ...common,
      kind: 'saml',
      settings: v.parse(samlSettings, row.settings),
      decryptionKeys: parseDecryptionKeys(findSecret(row, keys) ?? ''),
    };
  }
  return {
    ...common,
    kind: 'openid',
    settings: v.parse(openidSettings, row.settings),
    clientSecret: findSecret(row, keys),
  };
}

/** The secret of a connection's row. @throws when it was sealed with a key that is gone. */
export function findSecret(
  { id, secret_sealed: sealed }: Pick<Row, 'id' | 'secret_sealed'>,
  keys: SecretKeys,
): string | undefined {
  if (sealed === null) return undefined;
  const secret = unseal(keys.clientSecrets, sealed, contextOf(id));
  if (secret === undefined) throw new Error(`The secret of connection ${id} cannot be unsealed`);
  return secret;
}
