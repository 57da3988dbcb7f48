import type { Exchange } from '../http/exchange.ts';
import { isSiteKept } from '../provider/prompts.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findNamedSiteMembership } from '../sites/site-memberships-store.ts';
import type { ReadSite, SiteMembership } from '../sites/site-memberships-store.ts';
import type { User } from '../users/users-store.ts';
import type { SignInServices } from './sign-in-services.ts';
import type { SignIn } from './sign-ins-store.ts';

/** The requested site with the user's membership. `isNamed`: a site was requested, whether or not it exists. */
export type RequestedSite = { isNamed: boolean; site: SiteMembership | undefined };

/** `read`: a site that an earlier statement has read. */
type Request = {
  signIn: SignIn;
  body: { site?: string | undefined; authSite?: string | undefined };
  session: SignedInSession | undefined;
  user: User | undefined;
  read?: ReadSite;
};

/** The site of a password or passkey sign-in. Reauthentication does not move a session to another site. */
export async function findRequestedSite(
  { database }: Pick<SignInServices, 'database'>,
  { signIn: { promptMethod, parameters }, body: { site, authSite }, session, user, read }: Request,
  exchange: Exchange,
): Promise<RequestedSite> {
  const confirmed = isSiteKept({ promptMethod }) ? session?.authSite : undefined;
  const name = confirmed ?? (site || parameters['site'] || authSite || session?.authSite);
  return name === undefined || name === ''
    ? { isNamed: false, site: undefined }
    : { isNamed: true, site: await findNamedSiteMembership(database, name, user?.id, exchange, read) };
}

/**
 * The reason for refusing a correct password or passkey, for the audit log only: the limits and the response are those
 * of a wrong one. `next-step.ts` checks the user and the membership again before every step, because both can change
 * between two steps, and because other steps do not check them.
 */
export function findRefusal(user: User | undefined, { isNamed, site }: RequestedSite): string | undefined {
  if (user === undefined) return 'unknown user';
  if (user.status !== 'active') return 'disabled user';
  if (isNamed && site?.isMember !== true) return 'not a member of the site';
  return isNamed && site?.allowPasswordEntry !== true ? 'the site has no passwords' : undefined;
}
