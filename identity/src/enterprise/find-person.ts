import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Connection, ExternalProof } from './connection.ts';
import { findDomain } from './connections-store.ts';
import {
  findLinkedPersonId,
  hasIdentity,
  linkIdentity,
  lockPersonByName,
  provisionPerson,
} from './identities-store.ts';

/** Who somebody is here whom a provider vouches for, or why they are nobody. */
export type FoundPerson =
  | { personId: string; by: 'identity' | 'email' | 'provisioning' }
  | { nobody: 'no-email' | 'email-not-verified' | 'unknown'; reason: string };

type Needed = { database: Database; clock: Clock; random: Random };

/**
 * The subject decides, once it is known; an address is believed at the first arrival alone, and only where the provider has
 * verified it and its domain is this connection's own. So no company can vouch for people of another one
 * (docs/decisions/020-linking-and-provisioning.md).
 */
export async function findPersonOf(
  services: Needed,
  connection: Connection,
  proof: ExternalProof,
): Promise<FoundPerson> {
  const { database, clock } = services;
  const identity = { connectionId: connection.id, subject: proof.subject };
  const known = await findLinkedPersonId(database, identity, clock.now());
  if (known !== undefined) return { personId: known, by: 'identity' };

  const { email } = proof;
  if (email === undefined) return { nobody: 'no-email', reason: `there is no claim ${proof.emailClaim}` };
  if (!proof.emailVerified)
    return { nobody: 'email-not-verified', reason: 'the provider has not verified the address' };
  const domain = findDomain(email);
  if (domain === undefined || !connection.emailDomains.includes(domain))
    return { nobody: 'unknown', reason: 'the domain of the address is not one of this connection' };
  try {
    return await database
      .transaction()
      .execute((transaction) => linkOrProvision(transaction, services, connection, proof, email));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // somebody with the same subject or the same address was quicker, and is there now
    return await database
      .transaction()
      .execute((transaction) => linkOrProvision(transaction, services, connection, proof, email));
  }
}

/** SQLSTATE 23505. */
const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

async function linkOrProvision(
  transaction: DatabaseTransaction,
  { clock, random }: Needed,
  connection: Connection,
  proof: ExternalProof,
  email: string,
): Promise<FoundPerson> {
  const now = clock.now();
  const identity = { connectionId: connection.id, subject: proof.subject };
  const personId = await lockPersonByName(transaction, email);
  // behind the lock: another tab of the same person may have been quicker
  const linked = await findLinkedPersonId(transaction, identity, now);
  if (linked !== undefined) return { personId: linked, by: 'identity' };

  if (personId !== undefined) {
    if (await hasIdentity(transaction, connection.id, personId))
      return { nobody: 'unknown', reason: 'the person is known there under another subject' };
    await linkIdentity(transaction, identity, personId, now);
    return { personId, by: 'email' };
  }
  if (connection.provisioning !== 'just_in_time')
    return { nobody: 'unknown', reason: 'nobody has that address, and the connection makes no people' };
  const made = await provisionPerson(transaction, random, connection, proof, email, now);
  await linkIdentity(transaction, identity, made, now);
  return { personId: made, by: 'provisioning' };
}
