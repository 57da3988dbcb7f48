import { endSessions } from '../src/openid/end-sessions.ts';
import type { Services } from '../src/services.ts';
import type { IssuedSignedInSession, Sessions, SignInFacts } from '../src/sessions/session.ts';

/** Starts a session for a user whose account has never been changed. */
export async function beginSession(
  sessions: Sessions,
  personId: string,
  facts: Partial<SignInFacts> = {},
  previous?: Parameters<Sessions['signIn']>[0],
): Promise<IssuedSignedInSession> {
  const account = { id: personId, securityVersion: 0 };
  const issued = await sessions.signIn(previous, { account, methods: ['pwd'], ...facts });
  if (issued === undefined) throw new Error('The account has changed, or the previous session has ended');
  return issued;
}

/** Ends all sessions of a user, like the operator's command. */
export async function endSessionsOf(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  personId: string,
): Promise<void> {
  await database.transaction().execute((transaction) => endSessions(transaction, { personId }, clock.now()));
}
