import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { AuditEvent } from '../audit/audit.ts';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import { findActivePerson, findPersonByName } from '../people/people-store.ts';
import type { Person } from '../people/people-store.ts';
import { findPlace } from '../sites/places-store.ts';
import type { Place } from '../sites/places-store.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { advance } from './advance.ts';
import { requireSignIn } from './find-sign-in.ts';
import { noteProgress } from './progress-store.ts';
import type { SignInServices } from './sign-in-services.ts';
import { isSamePersonAsked } from './standing.ts';

type Body = CallInput<'authenticate'>['body'];

/** Who is meant, before anybody has proved anything. `account` is what the limits count, for unknown people too. */
type Claimant = { account: string; person: Person | undefined; nameHash?: string };

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
    const claimant = await findClaimant(services, body, session);
    const place = await findNamedPlace(services, signIn, body, session, claimant);

    const attempt = { password: body.password, claimant, place, clientId: signIn.clientId };
    const person = await provePassword(services, attempt, exchange);
    const proved = await noteProgress(services.database, signIn, {
      personId: person.id,
      siteId: place.site?.id,
      passwordAt: services.clock.now(),
    });
    return await advance(services, proved, person, place.site, exchange);
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

async function findClaimant(
  { database, audit }: SignInServices,
  { userName }: Body,
  session: SignedInSession | undefined,
): Promise<Claimant> {
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

type Named = { named: boolean; site: Place | undefined };

/** The site that the sign-in is for. Confirming who one is does not move a session to another site. */
async function findNamedPlace(
  { database }: SignInServices,
  { promptMethod, parameters }: SignIn,
  { site, authSite }: Body,
  session: SignedInSession | undefined,
  { person }: Claimant,
): Promise<Named> {
  const confirmed =
    promptMethod === 'elevate' || promptMethod === 'change_password' ? session?.authSite : undefined;
  const name = confirmed ?? (site || parameters['site'] || authSite || session?.authSite);
  return name === undefined || name === ''
    ? { named: false, site: undefined }
    : { named: true, site: await findPlace(database, { name }, person?.id) };
}

type PasswordAttempt = { password: string; claimant: Claimant; place: Named; clientId: string };

/** @throws `invalid_credentials`, `rate_limit_reached` or `overloaded`. */
async function provePassword(
  services: SignInServices,
  { password, claimant: { account, person, nameHash }, place, clientId }: PasswordAttempt,
  exchange: Exchange,
): Promise<Person> {
  const { limits, passwords, metrics, knownBrowsers, audit } = services;
  const noted: Omit<AuditEvent, 'result'> = {
    event: 'password.check',
    personId: person?.id,
    site: place.site?.name,
    clientId,
    // a name that was typed is not told: somebody may have typed the password there
    details: { factor: 'password', nameHash },
  };
  const knownBrowser = person && knownBrowsers.findSecret(exchange, person.id);
  const { attempt, verdict } = await noteRefusal(audit, noted, exchange, async () => {
    const subject = { kind: 'password', account, address: exchange.address } as const;
    const attempt = await limits.attempt({ ...subject, ...(knownBrowser !== undefined && { knownBrowser }) });
    const verdict = await passwords.verify(password, person?.passwordHash).catch(async (error: unknown) => {
      await attempt.withdraw();
      throw error;
    });
    return { attempt, verdict };
  });

  const reason = findRefusal(verdict.matches, person, place);
  if (!verdict.matches || person === undefined || reason !== undefined) {
    metrics.countSignInStep('password', 'invalid_credentials');
    audit.note({ ...noted, result: 'failure', reason }, exchange);
    throw new ContractError('invalid_credentials');
  }

  await attempt.succeeded();
  metrics.countSignInStep('password', 'proved');
  audit.note({ ...noted, result: 'success' }, exchange);
  if (verdict.rehash !== undefined) await keepHash(services, person.id, verdict.rehash);
  return person;
}

/** Why a password does not count; for the audit log alone. */
function findRefusal(
  matches: boolean,
  person: Person | undefined,
  { named, site }: Named,
): string | undefined {
  if (person === undefined) return 'unknown person';
  if (!matches) return 'wrong password';
  if (person.status !== 'active') return 'disabled person';
  if (named && site?.isMember !== true) return 'not a member of the site';
  return named && site?.allowPasswordEntry !== true ? 'the site has no passwords' : undefined;
}

/** The same password with today's parameters. */
async function keepHash({ database }: SignInServices, personId: string, hash: string): Promise<void> {
  await database
    .updateTable('credentials')
    .set({ password_hash: hash })
    .where('person_id', '=', personId)
    .execute();
}
