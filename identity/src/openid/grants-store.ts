import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';

/** Ends a grant with every code and token that came of it, at once and on every node. */
export async function revokeGrant(database: Database, grantId: string): Promise<void> {
  await database.deleteFrom('openid_records').where('grant_id', '=', grantId).execute();
}

/**
 * A grant's id says which site its tokens speak for, so that every code and token carries it and it can never change. The id
 * stays in the database; applications do not see it.
 */
export function makeGrantId(site: string, random: Random): string {
  return `${random.token(16)}.${Buffer.from(site).toString('base64url')}`;
}

/** The name of the site that the tokens of a grant speak for. */
export function siteOfGrant(grantId: string): string | undefined {
  const encoded = grantId.split('.')[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
}
