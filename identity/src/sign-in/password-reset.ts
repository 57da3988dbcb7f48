import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { passwordChangedMail } from '../messages/password-changed-mail.ts';
import { passwordRuleText } from '../messages/text-catalogue.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import { replacePassword } from '../passwords/change-store.ts';
import { findBrokenRuleOfNew } from '../passwords/change.ts';
import { findActivePerson } from '../people/people-store.ts';
import type { Person } from '../people/people-store.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { Place } from '../sites/places-store.ts';
import { advance, findSessionOf, findStep } from './advance.ts';
import { requireSignIn } from './find-sign-in.ts';
import { policyAt } from './password-policy.ts';
import { forgetOtherSignIns, noteProgress } from './progress-store.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findPlaceOf, isSamePersonAsked } from './standing.ts';

type Body = CallInput<'passwordReset'>['body'];

/** Who changes their password, in which sign-in, and for which site. */
type Change = {
  signIn: SignIn;
  person: Person & { passwordHash: string };
  session: SignedInSession | undefined;
  site: Place | undefined;
};

/**
 * A new password, because it must be changed or because the person wants to. Whatever the old one has opened elsewhere is
 * closed in the same transaction: sessions, what applications hold, sign-ins under way, and computers that skip the code.
 */
export function createPasswordReset(services: SignInServices) {
  const { database, passwords, metrics } = services;

  return async (
    { body }: CallInput<'passwordReset'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'passwordReset'>> => {
    const change = await requireChange(services, body, exchange);
    const { person } = change;
    try {
      if (body.newPassword.normalize('NFC') !== body.newPasswordConfirmation.normalize('NFC')) {
        throw new ContractError('passwords_do_not_match');
      }
      await requirePresentPassword(services, person, body.currentPassword, exchange);
      await requireGoodPassword(services, change, body.newPassword, exchange);
      const signIn = await keep(services, change, await passwords.hash(body.newPassword), exchange);
      metrics.countSignInStep('password-reset', 'changed');
      const changed = (await findActivePerson(database, person.id)) ?? person;
      return await advance(services, signIn, changed, change.site, exchange);
    } catch (error) {
      if (error instanceof ContractError) noteRefusal(services, change, error, exchange);
      throw error;
    }
  };
}

/**
 * The change that a sign-in waits for: nobody changes a password who is not asked to, or has not proved everything else.
 * @throws `unauthorized` otherwise
 */
async function requireChange(
  services: SignInServices,
  { returnUrl }: Body,
  exchange: Exchange,
): Promise<Change> {
  const signIn = await requireSignIn(services, returnUrl, exchange);
  const found = await exchange.findSession();
  const signedIn = found.state === 'valid' && isSamePersonAsked(signIn) ? found.session.personId : undefined;
  const personId = signedIn ?? signIn.personId;
  const person = personId === undefined ? undefined : await findActivePerson(services.database, personId);
  const session = person && (await findSessionOf(person.id, exchange));
  const site = person && (await findPlaceOf(services, signIn, session, person.id));
  const otherwise = person && (await findStep(services, signIn, person, site, exchange))?.otherwise;
  const isAsked =
    otherwise !== undefined && 'status' in otherwise && otherwise.status === 'password_reset_required';
  if (person?.passwordHash === undefined || !isAsked) {
    throw new ContractError('unauthorized', { detail: 'no change of password is asked for in this sign-in' });
  }
  return { signIn, person: { ...person, passwordHash: person.passwordHash }, session, site };
}

/** @throws `invalid_credentials` for a wrong one, which counts as a failed sign-in does; `rate_limit_reached`; `overloaded` */
async function requirePresentPassword(
  { limits, passwords, knownBrowsers }: SignInServices,
  person: Change['person'],
  password: string,
  exchange: Exchange,
): Promise<void> {
  const knownBrowser = knownBrowsers.findSecret(exchange, person.id);
  const attempt = await limits.attempt({
    kind: 'password',
    account: person.id,
    address: exchange.address,
    ...(knownBrowser !== undefined && { knownBrowser }),
  });
  const verdict = await passwords.verify(password, person.passwordHash).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!verdict.matches) throw new ContractError('invalid_credentials', { detail: 'wrong present password' });
  await attempt.succeeded();
}

/** @throws `invalid_new_password` with the reason in the visitor's language (NIST SP 800-63B-4, 3.1.1.2) */
async function requireGoodPassword(
  services: SignInServices,
  { person, site }: Change,
  password: string,
  exchange: Exchange,
): Promise<void> {
  const broken = await findBrokenRuleOfNew(services, policyAt(site), {
    personId: person.id,
    presentHash: person.passwordHash,
    password,
    names: {
      person: [person.userName, ...(person.email === undefined ? [] : [person.email])],
      site: site === undefined ? [] : [site.name, site.displayName],
    },
  });
  if (broken === undefined) return;
  throw new ContractError('invalid_new_password', {
    description: passwordRuleText(languageOf(exchange.raw.request.headers), broken.rule, broken.count),
    detail: broken.rule,
  });
}

/** @throws `invalid_credentials` when another change was quicker: the present password is not the present one any more */
async function keep(
  services: SignInServices,
  { signIn, person, session, site }: Change,
  newHash: string,
  exchange: Exchange,
): Promise<SignIn> {
  const { database, clock, sessions, secondFactor, openid, notices, audit } = services;
  const language = languageOf(exchange.raw.request.headers);
  const otherSessions = await openid.prepareToEndOtherSessions(person.id, exchange);
  const kept = await database.transaction().execute(async (transaction) => {
    const presentHash = person.passwordHash;
    const now = clock.now();
    if (!(await replacePassword(transaction, { personId: person.id, presentHash, newHash }, now))) {
      throw new ContractError('invalid_credentials', { detail: 'another change was quicker' });
    }
    const sessionsEnded = await sessions.endAllOf(person.id, {
      transaction,
      ...(session !== undefined && { exceptIdHash: session.idHash }),
    });
    await otherSessions.end(transaction);
    await forgetOtherSignIns(transaction, person.id, signIn.uid);
    const devicesForgotten = await secondFactor.devices.forgetAllOf(person.id, transaction);
    const progressed = await noteProgress(transaction, signIn, { passwordChangedAt: now });
    if (person.email !== undefined)
      await notices.keep(passwordChangedMail({ to: person.email, at: now, language }), transaction);
    return { progressed, sessionsEnded, devicesForgotten };
  });
  notices.sendDue();
  openid.tellApplications();

  // A new id for the session that goes on (attacks and faults, S22); in a required change there is none yet.
  if (session !== undefined) {
    await exchange.signIn({
      personId: person.id,
      authSite: session.authSite,
      externallyAuthenticated: session.externallyAuthenticated,
      connectionId: session.connectionId,
      methods: [...new Set([...session.methods, 'pwd' as const])],
    });
  }
  const { progressed, sessionsEnded, devicesForgotten } = kept;
  audit.note(
    {
      event: 'password.change',
      result: 'success',
      personId: person.id,
      clientId: signIn.clientId,
      site: site?.name,
      sessionHash: session?.idHash,
      details: {
        required: person.mustChangePassword ? 'yes' : 'no',
        sessionsEnded: String(sessionsEnded),
        devicesForgotten: String(devicesForgotten),
      },
    },
    exchange,
  );
  return progressed;
}

function noteRefusal(
  { metrics, audit }: SignInServices,
  { person, signIn, site }: Change,
  { code, detail }: ContractError,
  exchange: Exchange,
): void {
  metrics.countSignInStep('password-reset', code);
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  audit.note({ event: 'password.change', result: 'failure', reason: detail ?? code, ...facts }, exchange);
}
