import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import { lockPeople, raiseSecurityVersion } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { deleteSignIns } from '../sign-ins/sign-ins-store.ts';
import type { DatabaseTransaction, Tables } from '../store/schema.ts';
import { endProviderSessions } from './provider-sessions.ts';

/**
 * Selects sessions. A session id also selects the sessions that replaced it, because the id may be changing at the same
 * time.
 */
export type SessionSelector =
  | { idHashes: readonly string[] }
  | { personId: string; browserId?: string; keptSessionIdHash?: string | undefined }
  | { site: string }
  | { connectionId: string };

export type EndedSession = { idHash: string; personId: string; browserId: string; site: string | undefined };

/**
 * The only function that ends sessions before they expire. Also ends the grants of applications in these sessions, and
 * pending sign-ins of the same user in the same browser. It takes effect at once on every node, because every request
 * reads the table. Call `notifyApplications` after the transaction commits.
 */
export async function endSessions(
  transaction: DatabaseTransaction,
  selector: SessionSelector,
  now: Date,
): Promise<EndedSession[]> {
  const ended = await endSelectedSessions(transaction, selector, now);
  await deleteSignIns(transaction, { of: ended });
  return ended;
}

async function endSelectedSessions(
  transaction: DatabaseTransaction,
  selector: SessionSelector,
  now: Date,
): Promise<EndedSession[]> {
  const people = transaction.selectFrom('sessions').select('person_id').where('ended_at', 'is', null);
  const owners = 'personId' in selector ? [] : await people.where(isSelected(selector)).distinct().execute();
  const personIds =
    'personId' in selector ? [selector.personId] : owners.flatMap((row) => row.person_id ?? []);
  // The lock waits for a session id that is being replaced, so that the next statement also ends the new session.
  await lockPeople(transaction, personIds);
  const rows = await transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('person_id', 'is not', null)
    .where(isSelected(selector))
    .returning(['id_hash', 'person_id', 'auth_site', 'browser_id', 'provider_session_uid'])
    .execute();
  const ended = rows.flatMap((row) =>
    row.person_id === null
      ? []
      : [
          {
            idHash: row.id_hash,
            personId: row.person_id,
            browserId: row.browser_id,
            site: row.auth_site ?? undefined,
          },
        ],
  );
  await endProviderSessions(
    transaction,
    rows.flatMap(({ person_id: accountId, provider_session_uid: uid }) =>
      accountId === null || uid === null ? [] : [{ accountId, uid }],
    ),
  );
  if ('site' in selector) await endGrantsOfSite(transaction, selector.site);
  if ('personId' in selector && selector.browserId === undefined)
    await endGrantsOfPerson(transaction, selector.personId);
  return ended;
}

function isSelected(selector: SessionSelector) {
  return (where: ExpressionBuilder<Tables, 'sessions'>) => {
    if ('site' in selector) return where('auth_site', '=', selector.site);
    if ('connectionId' in selector) return where('connection_id', '=', selector.connectionId);
    if ('idHashes' in selector)
      return where.exists(
        where
          .selectFrom('sessions as named')
          .select('named.id_hash')
          .where('named.id_hash', '=', sql<string>`any(${[...selector.idHashes]})`)
          .whereRef('named.person_id', '=', 'sessions.person_id')
          .whereRef('named.browser_id', '=', 'sessions.browser_id'),
      );
    return where.and([
      where('person_id', '=', selector.personId),
      where('id_hash', '!=', selector.keptSessionIdHash ?? ''),
      ...(selector.browserId === undefined ? [] : [where('browser_id', '=', selector.browserId)]),
    ]);
  };
}

/** Ends all grants for a site, including those that outlive a session (`offline_access`). The grant's id contains its site (`grants-store.ts`). */
async function endGrantsOfSite(transaction: DatabaseTransaction, site: string): Promise<void> {
  await transaction
    .deleteFrom('openid_records')
    .where(sql<boolean>`split_part(grant_id, '.', 2) = ${Buffer.from(site).toString('base64url')}`)
    .execute();
}

/** Ends all grants of a user. */
async function endGrantsOfPerson(transaction: DatabaseTransaction, personId: string): Promise<void> {
  await transaction
    .deleteFrom('openid_records')
    .where('account_id', '=', personId)
    .where('model', 'not in', ['Session', 'Interaction'])
    .execute();
}

export type RevokedAccess = { securityVersion: number; sessionsEnded: number; devicesForgotten: number };

/**
 * Revokes all access after a change of the password, the second factor or the status of an account. Ends sessions
 * (except `keptSessionIdHash`, which the caller replaces) and all grants, including `offline_access`, and forgets remembered
 * computers. Proofs that are being verified at the same time are rejected, because the security version has changed.
 */
export async function revokeAccess(
  { clock, secondFactor }: Pick<Services, 'clock' | 'secondFactor'>,
  transaction: DatabaseTransaction,
  personId: string,
  keptSessionIdHash?: string,
): Promise<RevokedAccess> {
  const securityVersion = await raiseSecurityVersion(transaction, personId);
  // Pending sign-ins stay. Their proofs are now invalid, and the user can start over.
  const ended = await endSelectedSessions(transaction, { personId, keptSessionIdHash }, clock.now());
  const devicesForgotten = await secondFactor.devices.forgetAllOf(personId, transaction);
  return { securityVersion, sessionsEnded: ended.length, devicesForgotten };
}

/**
 * Calls `revokeAccess` for a change that depends on `person` as read before. Returns undefined if another account change
 * came first; the caller must then roll the transaction back.
 */
export async function revokeAccessUnlessChanged(
  services: Pick<Services, 'clock' | 'secondFactor'>,
  transaction: DatabaseTransaction,
  person: Pick<Person, 'id' | 'securityVersion'>,
  keptSessionIdHash: string | undefined,
): Promise<RevokedAccess | undefined> {
  const revoked = await revokeAccess(services, transaction, person.id, keptSessionIdHash);
  return revoked.securityVersion === person.securityVersion + 1 ? revoked : undefined;
}
