import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { AuditEvent } from '../audit/audit.ts';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import { isSamePersonAsked, isSiteKept } from '../openid/prompts.ts';
import { findActivePerson, findPersonByName } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { recordProofs } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { findNamedSiteMembership } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { advance } from './advance.ts';
import { checkPassword } from './check-password.ts';
import type { SignInServices } from './sign-in-services.ts';
import { openVisit, requireSignIn } from './visit.ts';
import type { Visit } from './visit.ts';

type Body = CallInput<'authenticate'>['body'];

/** Who is meant, before anybody has proved anything. `account` is what the limits count, for unknown people too. */
type Subject = { account: string; person: Person | undefined; nameHash?: string };

/**
 * A password. Whoever is unknown, disabled, of another site, or just wrong gets the same answer after the same work,
 * and is counted by the limits in the same way (attacks and faults, S26, S27).
 */
export function createAuthenticate(services: SignInServices) {
  return async (
    { body }: CallInput<'authenticate'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'authenticate'>> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const session = await findConfirmedSession(signIn, exchange);
    const subject = await findSubject(services, body, session);
    const place = await findWantedSiteMembership(services, signIn, body, session, subject.person, exchange);

    const attempt = { signIn, password: body.password, subject, place };
    return await advance(services, await provePassword(services, attempt, exchange));
  };
}

/** A session whose person is asked once more; with another tenant or another person the sign-in begins from nothing. */
async function findConfirmedSession(
  signIn: SignIn,
  exchange: Exchange,
): Promise<SignedInSession | undefined> {
  const found = await exchange.findSession();
  return found.state === 'valid' && isSamePersonAsked(signIn) ? found.session : undefined;
}

async function findSubject(
  { database, audit }: SignInServices,
  { userName }: Body,
  session: SignedInSession | undefined,
): Promise<Subject> {
  if (session !== undefined) {
    return { account: session.personId, person: await findActivePerson(database, session.personId) };
  }
  if (userName === undefined || userName.trim() === '') {
    throw new ContractError('validation_failed', { detail: 'a user name is needed' });
  }
  const person = await findPersonByName(database, userName);
  if (person !== undefined) return { account: person.id, person };
  return { account: signInNameKey(userName), person, nameHash: audit.nameHash(userName) };
}

type Named = { named: boolean; site: SiteMembership | undefined };

/** The site that the sign-in is for. Confirming who one is does not move a session to another site. */
export async function findWantedSiteMembership(
  { database }: Pick<SignInServices, 'database'>,
  { promptMethod, parameters }: SignIn,
  { site, authSite }: Pick<Body, 'site' | 'authSite'>,
  session: SignedInSession | undefined,
  person: Person | undefined,
  exchange: Exchange,
): Promise<Named> {
  const confirmed = isSiteKept({ promptMethod }) ? session?.authSite : undefined;
  const name = confirmed ?? (site || parameters['site'] || authSite || session?.authSite);
  return name === undefined || name === ''
    ? { named: false, site: undefined }
    : { named: true, site: await findNamedSiteMembership(database, name, person?.id, exchange) };
}

type PasswordAttempt = { signIn: SignIn; password: string; subject: Subject; place: Named };

/**
 * The visit of the person whose password it is.
 * @throws `invalid_credentials`, also when the account was changed while the password was being checked; `rate_limit_reached`, `overloaded`
 */
async function provePassword(
  services: SignInServices,
  { signIn, password, subject: { account, person, nameHash }, place }: PasswordAttempt,
  exchange: Exchange,
): Promise<Visit> {
  const { database, clock, metrics, audit } = services;
  const noted: Omit<AuditEvent, 'result'> = {
    event: 'password.check',
    personId: person?.id,
    site: place.site?.name,
    clientId: signIn.clientId,
    // a name that was typed is not told: somebody may have typed the password there
    details: { factor: 'password', nameHash },
  };
  const refuse = (reason: string | undefined): ContractError => {
    metrics.countSignInStep('password', 'invalid_credentials');
    audit.note({ ...noted, result: 'failure', reason }, exchange);
    return new ContractError('invalid_credentials');
  };

  const checked = await noteRefusal(audit, noted, exchange, () =>
    checkPassword(services, { account, person, password }, exchange),
  );
  const reason = checked.matches || person === undefined ? findRefusal(person, place) : 'wrong password';
  if (!checked.matches || person === undefined || reason !== undefined) throw refuse(reason);

  // the person was read before the password was checked, which may have taken a while in the queue
  const now = clock.now();
  const proof = { at: now, siteId: place.site?.id };
  const recorded = await recordProofs(database, signIn, person, { password: proof }, now, checked.succeeding);
  if (recorded === undefined) {
    await checked.withdraw();
    throw refuse('the account or the sign-in changed meanwhile');
  }
  await checked.renewHash();
  metrics.countSignInStep('password', 'proved');
  audit.note({ ...noted, result: 'success' }, exchange);
  return await openVisit(services, { signIn: recorded, person, exchange, site: place.site });
}

/** Why a right password or passkey does not count; for the audit log alone. */
export function findRefusal(person: Person | undefined, { named, site }: Named): string | undefined {
  if (person === undefined) return 'unknown person';
  if (person.status !== 'active') return 'disabled person';
  if (named && site?.isMember !== true) return 'not a member of the site';
  return named && site?.allowPasswordEntry !== true ? 'the site has no passwords' : undefined;
}
