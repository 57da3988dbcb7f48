import type { CallInput } from '@anteroom/contract';
import { sql } from 'kysely';
import { noteRefusal } from '../audit/audit.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CallHandler } from '../http/routes.ts';
import { signInNameKey } from '../lib/names.ts';
import { isSiteKept } from '../openid/prompts.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { recordProofs } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import {
  findNamedSiteMembership,
  selectSiteMembership,
  toSiteMembership,
} from '../sites/site-memberships-store.ts';
import type { KnownSite, SiteMembership } from '../sites/site-memberships-store.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { FirstRows } from '../store/read-together.ts';
import { findActivePerson, findPersonByName, selectPersonByName, toPerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import { advance } from './advance.ts';
import { checkPassword } from './check-password.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findContinuedSession, openVisit, requireSignInWith } from './visit.ts';
import type { Visit } from './visit.ts';

type Body = CallInput<'authenticate'>['body'];

/**
 * The user with the entered name, not authenticated yet. `account` is the key for the rate limits, also for unknown
 * users.
 */
type Subject = { account: string; person: Person | undefined; nameHash?: string };

/**
 * Checks a password. For an unknown user, a disabled user, a user of another site and a wrong password, the response,
 * the work and the count against the limits are the same (attacks and faults, S26, S27).
 */
export function createAuthenticate(services: SignInServices): CallHandler<'authenticate'> {
  return async ({ body }, exchange) => {
    const queries = queriesOf(services, body);
    const { signIn, read } = await requireSignInWith(services, body.returnUrl, exchange, queries);
    const known = read && toKnown(body, read);
    const session = await findContinuedSession(services, signIn, exchange);
    const subject = await findSubject(services, body, session, known);
    const membership = await findRequestedMembership(
      services,
      signIn,
      body,
      session,
      subject.person,
      exchange,
      known?.site,
    );

    const attempt = { signIn, password: body.password, subject, membership };
    return await advance(services, await provePassword(services, attempt, exchange));
  };
}

/**
 * Queries for the user and the site that the visitor entered, which are read in the same statement as the sign-in. Most
 * calls need no other query.
 */
function queriesOf({ database }: SignInServices, { userName, site }: Body) {
  return {
    typed_user: selectPersonByName(database, userName ?? ''),
    named_site: selectSiteMembership(database, { name: site ?? '' }, sql`(select id from typed_user)`),
  };
}

type Known = { person: Person | undefined; site: KnownSite };

function toKnown({ site: name }: Body, read: FirstRows<ReturnType<typeof queriesOf>>): Known {
  const person = read.typed_user && toPerson(read.typed_user);
  const site = read.named_site && toSiteMembership(read.named_site);
  return { person, site: { name: siteNameKey(name ?? ''), personId: person?.id, site } };
}

async function findSubject(
  { database, audit }: SignInServices,
  { userName }: Body,
  session: SignedInSession | undefined,
  known: Known | undefined,
): Promise<Subject> {
  if (session !== undefined) {
    return { account: session.personId, person: await findActivePerson(database, session.personId) };
  }
  if (userName === undefined || userName.trim() === '') {
    throw new ContractError('validation_failed', { detail: 'a user name is required' });
  }
  const person = known === undefined ? await findPersonByName(database, userName) : known.person;
  if (person !== undefined) return { account: person.id, person };
  return { account: signInNameKey(userName), person, nameHash: audit.nameHash(userName) };
}

/** `isNamed`: a site was requested, whether or not it exists. */
type RequestedMembership = { isNamed: boolean; site: SiteMembership | undefined };

/** The requested site with the user's membership. Reauthentication does not move a session to another site. */
export async function findRequestedMembership(
  { database }: Pick<SignInServices, 'database'>,
  { promptMethod, parameters }: SignIn,
  { site, authSite }: Pick<Body, 'site' | 'authSite'>,
  session: SignedInSession | undefined,
  person: Person | undefined,
  exchange: Exchange,
  known?: KnownSite,
): Promise<RequestedMembership> {
  const confirmed = isSiteKept({ promptMethod }) ? session?.authSite : undefined;
  const name = confirmed ?? (site || parameters['site'] || authSite || session?.authSite);
  return name === undefined || name === ''
    ? { isNamed: false, site: undefined }
    : { isNamed: true, site: await findNamedSiteMembership(database, name, person?.id, exchange, known) };
}

type PasswordAttempt = {
  signIn: SignIn;
  password: string;
  subject: Subject;
  membership: RequestedMembership;
};

/**
 * Verifies the password and opens the user's visit.
 * @throws `invalid_credentials`, also if the account changed during the check; `rate_limit_reached`, `overloaded`
 */
async function provePassword(
  services: SignInServices,
  { signIn, password, subject: { account, person, nameHash }, membership }: PasswordAttempt,
  exchange: Exchange,
): Promise<Visit> {
  const { database, clock, metrics, audit } = services;
  const noted: Omit<AuditEvent, 'result'> = {
    event: 'password.check',
    personId: person?.id,
    site: membership.site?.name,
    clientId: signIn.clientId,
    // Only a hash of the entered user name is recorded, because the user may have typed the password into that field.
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
  const reason = checked.matches || person === undefined ? findRefusal(person, membership) : 'wrong password';
  if (!checked.matches || person === undefined || reason !== undefined) throw refuse(reason);

  // The password check may have waited in a queue, so the account may have changed since it was read.
  const now = clock.now();
  const proof = { at: now, siteId: membership.site?.id };
  const recorded = await recordProofs(database, signIn, person, { password: proof }, now, checked.succeeding);
  if (recorded === undefined) {
    await checked.withdraw();
    throw refuse('the account or the sign-in changed during the check');
  }
  await checked.renewHash();
  metrics.countSignInStep('password', 'proved');
  audit.note({ ...noted, result: 'success' }, exchange);
  return await openVisit(services, { signIn: recorded, person, exchange, site: membership.site });
}

/** The reason for refusing a correct password or passkey, for the audit log only. */
export function findRefusal(
  person: Person | undefined,
  { isNamed, site }: RequestedMembership,
): string | undefined {
  if (person === undefined) return 'unknown person';
  if (person.status !== 'active') return 'disabled person';
  if (isNamed && site?.isMember !== true) return 'not a member of the site';
  return isNamed && site?.allowPasswordEntry !== true ? 'the site has no passwords' : undefined;
}
