import type { Exchange } from '../http/exchange.ts';
import { isHintedUser } from '../openid/login-hint.ts';
import { isSamePersonAsked } from '../openid/prompts.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

/**
 * The session that the sign-in continues with. Undefined if the application expects another user, by the request or by
 * its `login_hint`; a user who has authenticated in this sign-in in spite of the hint is the expected one.
 */
export async function findContinuedSession(
  { database }: Pick<Services, 'database'>,
  signIn: SignIn,
  exchange: Exchange,
): Promise<SignedInSession | undefined> {
  const found = await exchange.findSession();
  if (found.state !== 'valid' || !isSamePersonAsked(signIn)) return undefined;
  const { personId } = found.session;
  const isExpected =
    signIn.personId === personId || (await isHintedUser(database, signIn.parameters, personId));
  return isExpected ? found.session : undefined;
}
