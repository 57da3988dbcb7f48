import { endSessions } from '../src/sign-out/end-sessions.ts';
import type { Services } from '../src/services.ts';
import type {
  AuthenticationMethod,
  IssuedSignedInSession,
  ProvedMethod,
  Sessions,
  NewSession,
} from '../src/sessions/session.ts';

/** Methods that are proved when the session begins: the service takes a later time for its own. */
export function provedNow(...methods: AuthenticationMethod[]): ProvedMethod[] {
  return methods.map((method) => ({ method, at: new Date(8.64e15) }));
}

/** Starts a session for a user whose account has never been changed. */
export async function beginSession(
  sessions: Sessions,
  userId: string,
  facts: Partial<NewSession> = {},
  previous?: Parameters<Sessions['signIn']>[0],
): Promise<IssuedSignedInSession> {
  const account = { id: userId, securityVersion: 0 };
  const issued = await sessions.signIn(previous, { account, methods: provedNow('pwd'), ...facts });
  if (issued === undefined) throw new Error('The account has changed, or the previous session has ended');
  return issued;
}

/** Ends all sessions of a user, like the operator's command. */
export async function endSessionsOf(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  userId: string,
): Promise<void> {
  await database.transaction().execute((transaction) => endSessions(transaction, { userId }, clock.now()));
}
