import { endSessions } from '../src/openid/end-sessions.ts';
import type { Services } from '../src/services.ts';
import type { IssuedSignedInSession, Sessions, SignInFacts } from '../src/sessions/session.ts';

/** A session that begins now, for a person whose account has never been changed. */
export async function beginSession(
  sessions: Sessions,
  personId: string,
  facts: Partial<SignInFacts> = {},
  previous?: Parameters<Sessions['signIn']>[0],
): Promise<IssuedSignedInSession> {
  const account = { id: personId, securityVersion: 0 };
  const issued = await sessions.signIn(previous, { account, methods: ['pwd'], ...facts });
  if (issued === undefined) throw new Error('The account has changed, or the session before has ended');
  return issued;
}

/** Ends all sessions of a person, as an operator's command does. */
export async function endSessionsOf(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  personId: string,
): Promise<void> {
  await database.transaction().execute((transaction) => endSessions(transaction, { personId }, clock.now()));
}
