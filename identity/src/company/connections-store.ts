import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { hasControlCharacter } from '../lib/control-characters.ts';
import type { Keys } from '../lib/keys.ts';
import { typedSignInName } from '@anteroom/contract/typed-text';
import { domainKey } from '../lib/names.ts';
import type { Random } from '../lib/random.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { ConnectionsTable } from '../store/company-tables.ts';
import type { Database } from '../store/schema.ts';
import { openidSettings, samlSettings } from './connection.ts';
import type { Connection } from './connection.ts';
import { parseDecryptionKeys } from './saml/own-keys.ts';

type SecretKeys = Pick<Keys, 'clientSecrets'>;

/** Finds an enabled connection by id. */
export async function findConnection(
  database: Database,
  keys: SecretKeys,
  id: string,
): Promise<Connection | undefined> {
  const row = await selectConnections(database).where('connections.id', '=', id).executeTakeFirst();
  return row && toConnection(row, keys);
}

/** Finds a connection by name. */
export async function findConnectionByName(
  database: Database,
  keys: SecretKeys,
  name: string,
): Promise<Connection | undefined> {
  // The name comes from a request path, and the database cannot store some control characters.
  if (hasControlCharacter(name)) return undefined;
  const row = await selectConnections(database).where('connections.name', '=', name).executeTakeFirst();
  return row && toConnection(row, keys);
}

/** Finds the connection of a site; undefined if the site has none or it is disabled. */
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

/** Finds the connection that an e-mail domain is assigned to. */
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

/**
 * Finds the SAML connection of an issuer. Undefined if there is none, or if several connections have the same issuer.
 */
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
 * The normalised domain of an e-mail address; undefined for anything else. Characters that look like `@` count as `@`.
 * Text with control characters is rejected, as the database cannot store some of them.
 */
export function findDomain(email: string): string | undefined {
  const typed = typedSignInName(email);
  if (hasControlCharacter(typed)) return undefined;
  const [name, domain, ...more] = typed.split('@');
  return more.length > 0 || !name || !domain ? undefined : domainKey(domain);
}

/** Encrypts a connection's client secret (OpenID) or decryption keys (SAML) for storage, bound to this connection. */
export function sealSecret(keys: SecretKeys, random: Random, connectionId: string, secret: string): string {
  return seal(keys.clientSecrets, secret, contextOf(connectionId), random);
}

/** The context that an encrypted secret is bound to. */
export const contextOf = (connectionId: string): string => `connection ${connectionId}`;

function selectConnections(database: Database) {
  return (
    database
      .selectFrom('connections')
      .selectAll('connections')
      // the domains decide for which users the provider can assert an address
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

/** @throws if the stored settings do not match the connection's kind, or the encryption key of the secret is gone */
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

/**
 * Decrypts the secret of a connection's row.
 * @throws if its encryption key is gone
 */
export function findSecret(
  { id, secret_sealed: sealed }: Pick<Row, 'id' | 'secret_sealed'>,
  keys: SecretKeys,
): string | undefined {
  if (sealed === null) return undefined;
  const secret = unseal(keys.clientSecrets, sealed, contextOf(id));
  if (secret === undefined) throw new Error(`The secret of connection ${id} cannot be decrypted`);
  return secret;
}
