import type { DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import type { Connection, ExternalProof } from './connection.ts';
import { findDomain } from './connections-store.ts';
import {
  findLinkedUserId,
  hasIdentity,
  linkIdentity,
  lockUserByName,
  provisionUser,
} from './identities-store.ts';

/** The account that a provider's assertion identifies, or the reason why there is none. */
export type UserLookup =
  | { userId: string; by: 'identity' | 'email' | 'provisioning' }
  | { notFound: 'no-email' | 'email-not-verified' | 'unknown'; reason: string };

type Needed = Omit<StoreContext, 'keyRing'>;

/**
 * A linked subject identifies the user. Only the first sign-in uses the e-mail address, if the provider has verified it
 * and its domain is assigned to this connection. A company therefore cannot assert users of another company
 * (docs/decisions/020-linking-and-provisioning.md).
 */
export async function findUserOf(
  services: Needed,
  connection: Connection,
  proof: ExternalProof,
  siteId: string | undefined,
): Promise<UserLookup> {
  const { database, clock } = services;
  const identity = { connectionId: connection.id, subject: proof.subject };
  const linked = await findLinkedUserId(database, identity, clock.now());
  if (linked !== undefined) return { userId: linked, by: 'identity' };

  const { email } = proof;
  if (email === undefined) return { notFound: 'no-email', reason: `there is no claim ${proof.emailClaim}` };
  if (!proof.emailVerified)
    return { notFound: 'email-not-verified', reason: 'the provider has not verified the address' };
  const domain = findDomain(email);
  if (domain === undefined || !connection.emailDomains.includes(domain))
    return { notFound: 'unknown', reason: 'the domain of the address is not one of this connection' };
  const linkInTransaction = async (): Promise<UserLookup> =>
    await database
      .transaction()
      .execute((transaction) => linkOrProvision(transaction, services, connection, proof, { email, siteId }));
  try {
    return await linkInTransaction();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Retry: a concurrent sign-in has just linked or created the same subject or address.
    return await linkInTransaction();
  }
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

async function linkOrProvision(
  transaction: DatabaseTransaction,
  { clock, random }: Needed,
  connection: Connection,
  proof: ExternalProof,
  { email, siteId }: { email: string; siteId: string | undefined },
): Promise<UserLookup> {
  const now = clock.now();
  const identity = { connectionId: connection.id, subject: proof.subject };
  const userId = await lockUserByName(transaction, email);
  // The subject is checked again under the lock, because a concurrent sign-in of the same user may have linked it.
  const linked = await findLinkedUserId(transaction, identity, now);
  if (linked !== undefined) return { userId: linked, by: 'identity' };

  if (userId !== undefined) {
    if (await hasIdentity(transaction, connection.id, userId))
      return { notFound: 'unknown', reason: 'the user is linked to another subject of the provider' };
    await linkIdentity(transaction, identity, userId, now);
    return { userId, by: 'email' };
  }
  if (connection.provisioning !== 'just_in_time')
    return {
      notFound: 'unknown',
      reason: 'no user has the address, and the connection does not create accounts',
    };
  const created = await provisionUser(transaction, random, connection, proof, { email, siteId, now });
  await linkIdentity(transaction, identity, created, now);
  return { userId: created, by: 'provisioning' };
}
