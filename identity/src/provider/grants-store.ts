import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';

/** Revokes a grant with all its codes and tokens, at once on every node. */
export async function revokeGrant(database: Database, grantId: string): Promise<void> {
  await database.deleteFrom('openid_records').where('grant_id', '=', grantId).execute();
}

/**
 * A grant's id contains the site and the account's security version, so that both are fixed for every code and token
 * of the grant. The id is internal; applications never see it.
 */
export function makeGrantId(site: string, securityVersion: number, random: Random): string {
  return `${random.token(16)}.${encodeSite(site)}.${securityVersion}`;
}

/** A site's name as a grant's id contains it. */
export const encodeSite = (site: string): string => Buffer.from(site).toString('base64url');

/** The encoded site of a grant's id, in SQL. */
export const sitePartOfGrant = (grantId: Expression<string | null>): RawBuilder<string | null> =>
  sql`split_part(${grantId}, '.', 2)`;

/** The name of the site that a grant's tokens are for. */
export function siteOfGrant(grantId: string): string | undefined {
  const encoded = grantId.split('.')[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
}

/**
 * Does the same as `siteOfGrant` in SQL. Returns the site name in its stored form. PostgreSQL gives the result of
 * `convert_from` the collation C, with which it could not use the index of a column.
 */
export function siteOfStoredGrant(grantId: Expression<string | null>): Expression<string | null> {
  const encoded = sql`translate(${sitePartOfGrant(grantId)}, '-_', '+/')`;
  const padded = sql`rpad(${encoded}, (length(${encoded}) + 3) / 4 * 4, '=')`;
  return sql`convert_from(decode(${padded}, 'base64'), 'utf8') collate "default"`;
}

/** The account's security version when the grant was made (`users.security_version`). Undefined for grants of the previous release. */
export function securityVersionOfGrant(grantId: string): number | undefined {
  const version = grantId.split('.')[2];
  return version === undefined ? undefined : Number(version);
}
