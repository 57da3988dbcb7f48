import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import { lockPeople, raiseSecurityVersion } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { deleteSignIns } from '../sign-ins/sign-ins-store.ts';
import type { DatabaseTransaction, Tables } from '../store/schema.ts';
import { endProviderSessions } from './provider-sessions.ts';

/** Which sessions are meant. One that is named stands for what it has become since: it may just be getting a new id. */
export type MeantSessions =
  | { idHashes: readonly string[] }
  | { personId: string; browserId?: string; exceptIdHash?: string | undefined }
  | { site: string }
  | { connectionId: string };

export type EndedSession = { idHash: string; personId: string; browserId: string; site: string | undefined };

/**
 * The one way in which sessions end before their time: with what applications hold through them, and with the sign-ins in progress of the
 * same person in the same browser. At once and on every node, because every request asks the table. Call `tellApplications` once the
 * transaction has been committed.
 */
export async function endSessions(
  transaction: DatabaseTransaction,
  meant: MeantSessions,
  now: Date,
): Promise<EndedSession[]> {
  const ended = await endMeant(transaction, meant, now);
  await deleteSignIns(transaction, { of: ended });
  return ended;
}

async function endMeant(
  transaction: DatabaseTransaction,
  meant: MeantSessions,
  now: Date,
): Promise<EndedSession[]> {
  const people = transaction.selectFrom('sessions').select('person_id').where('ended_at', 'is', null);
  const owners = 'personId' in meant ? [] : await people.where(isMeant(meant)).distinct().execute();
  const personIds = 'personId' in meant ? [meant.personId] : owners.flatMap((row) => row.person_id ?? []);
  // before the statement that ends them, so that it sees what a session has become that was being renewed
  await lockPeople(transaction, personIds);
  const rows = await transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('person_id', 'is not', null)
    .where(isMeant(meant))
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
  if ('site' in meant) await endGrantsOfSite(transaction, meant.site);
  if ('personId' in meant && meant.browserId === undefined)
    await endGrantsOfPerson(transaction, meant.personId);
  return ended;
}

function isMeant(meant: MeantSessions) {
  return (where: ExpressionBuilder<Tables, 'sessions'>) => {
    if ('site' in meant) return where('auth_site', '=', meant.site);
    if ('connectionId' in meant) return where('connection_id', '=', meant.connectionId);
    if ('idHashes' in meant)
      return where.exists(
        where
          .selectFrom('sessions as named')
          .select('named.id_hash')
          .where('named.id_hash', '=', sql<string>`any(${[...meant.idHashes]})`)
          .whereRef('named.person_id', '=', 'sessions.person_id')
          .whereRef('named.browser_id', '=', 'sessions.browser_id'),
      );
    return where.and([
      where('person_id', '=', meant.personId),
      where('id_hash', '!=', meant.exceptIdHash ?? ''),
      ...(meant.browserId === undefined ? [] : [where('browser_id', '=', meant.browserId)]),
    ]);
  };
}

/** Also those that outlive a session (`offline_access`). A grant's id says its site (`grants-store.ts`). */
async function endGrantsOfSite(transaction: DatabaseTransaction, site: string): Promise<void> {
  await transaction
    .deleteFrom('openid_records')
    .where(sql<boolean>`split_part(grant_id, '.', 2) = ${Buffer.from(site).toString('base64url')}`)
    .execute();
}

/** The same of a person. */
async function endGrantsOfPerson(transaction: DatabaseTransaction, personId: string): Promise<void> {
  await transaction
    .deleteFrom('openid_records')
    .where('account_id', '=', personId)
    .where('model', 'not in', ['Session', 'Interaction'])
    .execute();
}

export type RevokedAccess = { securityVersion: number; sessionsEnded: number; devicesForgotten: number };

/**
 * For a change of the password, the second factor or the status of an account: whatever was opened or proved before it is closed. Sessions
 * end (but `exceptIdHash`, which the caller renews), and so does everything that applications hold, `offline_access` included; computers
 * that skip the code are forgotten. What is still being verified at this moment finds the account in another state.
 */
export async function revokeAccess(
  { clock, secondFactor }: Pick<Services, 'clock' | 'secondFactor'>,
  transaction: DatabaseTransaction,
  personId: string,
  { exceptIdHash }: { exceptIdHash?: string | undefined } = {},
): Promise<RevokedAccess> {
  const securityVersion = await raiseSecurityVersion(transaction, personId);
  // sign-ins in progress stay: what was proved in them counts for nothing now, and they may go on from the beginning
  const ended = await endMeant(transaction, { personId, exceptIdHash }, clock.now());
  const devicesForgotten = await secondFactor.devices.forgetAllOf(personId, transaction);
  return { securityVersion, sessionsEnded: ended.length, devicesForgotten };
}
