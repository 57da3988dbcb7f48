import type { Connection } from '../enterprise/connection.ts';
import { findSessionsOfProvider } from '../enterprise/external-sessions.ts';
import type { VerifiedSignOut } from '../enterprise/external-sessions.ts';
import { isFirstUse } from '../enterprise/used-messages-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { endSessions } from '../openid/end-sessions.ts';
import type { EndedSession } from '../openid/end-sessions.ts';
import type { SignInServices } from './sign-in-services.ts';

/**
 * Ends the sessions that a provider began here and has now ended, with their grants at applications. One transaction
 * does it all. Returns false if the message was used before.
 */
export async function endSessionsThatProviderEnded(
  services: Pick<SignInServices, 'database' | 'clock' | 'openid' | 'audit'>,
  connection: Pick<Connection, 'id' | 'name'>,
  signOut: VerifiedSignOut,
  exchange: Exchange,
): Promise<boolean> {
  const { database, clock, openid } = services;
  const connectionId = connection.id;
  const ended = await database.transaction().execute(async (transaction) => {
    if (!(await isFirstUse(transaction, { ...signOut, connectionId }))) return undefined;
    const idHashes = await findSessionsOfProvider(transaction, { ...signOut, connectionId });
    return await endSessions(transaction, { idHashes }, clock.now());
  });
  if (ended === undefined) return false;
  openid.notifyApplications();
  note(services, connection, ended, exchange);
  return true;
}

function note(
  { audit }: Pick<SignInServices, 'audit'>,
  { name: connection }: Pick<Connection, 'name'>,
  ended: readonly EndedSession[],
  exchange: Exchange,
): void {
  const reason = 'the identity provider signed the user out';
  if (ended.length === 0)
    audit.note(
      { event: 'session.end', result: 'success', reason: `${reason}; no session`, connection },
      exchange,
    );
  for (const { personId, idHash: sessionHash } of ended)
    audit.note(
      { event: 'session.end', result: 'success', reason, connection, personId, sessionHash },
      exchange,
    );
}
