import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { endUnattendedSessions } from '../../openid/unattended-sessions.ts';
import type { Database, DatabaseTransaction, SessionsTable } from '../../store/schema.ts';
import { inBatches } from '../batches.ts';

/** Which sessions an operator means. */
export type MeantSessions =
  | { personId: string }
  | { idHash: string }
  | { site: string }
  | { connectionId: string };

export type EndedSession = { idHash: string; personId: string; site: string | null };

type SessionRow = Pick<Selectable<SessionsTable>, 'id_hash' | 'auth_site' | 'browser_id'> & {
  person_id: string;
};

/**
 * Ends sessions from outside a browser, with what applications hold through them: at once and on every node, because every
 * request asks the table; applications are told once the transaction holds. Sign-ins under way in the same browsers begin anew.
 */
export async function endSessions(
  transaction: DatabaseTransaction,
  meant: MeantSessions,
  now: Date,
): Promise<EndedSession[]> {
  const ended = await endOwn(transaction, meant, now);
  const people = new Set(ended.map(({ person_id }) => person_id));
  if ('personId' in meant) people.add(meant.personId);
  for (const personId of people) await endUnattendedSessions(transaction, personId);
  if ('site' in meant) await endGrantsOfSite(transaction, meant.site);
  for (const batch of inBatches(ended.map(({ browser_id }) => browser_id)))
    await transaction.deleteFrom('sign_ins').where('browser_id', 'in', batch).execute();
  return ended.map((row) => ({ idHash: row.id_hash, personId: row.person_id, site: row.auth_site }));
}

async function endOwn(
  transaction: DatabaseTransaction,
  meant: MeantSessions,
  now: Date,
): Promise<SessionRow[]> {
  const rows = await transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('person_id', 'is not', null)
    .where((where) => {
      if ('personId' in meant) return where('person_id', '=', meant.personId);
      if ('idHash' in meant) return where('id_hash', '=', meant.idHash);
      if ('site' in meant) return where('auth_site', '=', meant.site);
      return where('connection_id', '=', meant.connectionId);
    })
    .returning(['id_hash', 'person_id', 'auth_site', 'browser_id'])
    .execute();
  return rows.flatMap((row) => (row.person_id === null ? [] : [{ ...row, person_id: row.person_id }]));
}

/** Also those that outlive a session (`offline_access`). A grant's id says its site (`grants-store.ts`). */
async function endGrantsOfSite(database: Database, site: string): Promise<void> {
  await database
    .deleteFrom('openid_records')
    .where(sql<boolean>`split_part(grant_id, '.', 2) = ${Buffer.from(site).toString('base64url')}`)
    .execute();
}
