import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';

/** Ends a grant with every code and token that came of it, at once and on every node. */
export async function revokeGrant(database: Database, grantId: string): Promise<void> {
  await database.deleteFrom('openid_records').where('grant_id', '=', grantId).execute();
}

/**
 * A grant's id says which site its tokens speak for and which state of the account they were granted in, so that every code and token
 * carries both and they can never change. The id stays in the database; applications do not see it.
 */
export function makeGrantId(site: string, securityVersion: number, random: Random): string {
  return `${random.token(16)}.${Buffer.from(site).toString('base64url')}.${securityVersion}`;
}

/** The name of the site that the tokens of a grant speak for. */
export function siteOfGrant(grantId: string): string | undefined {
  const encoded = grantId.split('.')[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
}

/** The state of the account that a grant was made in (`people.security_version`). Undefined for grants of the release before. */
export function securityVersionOfGrant(grantId: string): number | undefined {
  const version = grantId.split('.')[2];
  return version === undefined ? undefined : Number(version);
}
